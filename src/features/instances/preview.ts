import type { RequestDeps } from '../../core/changes/begin-change.ts';
import { readPreview } from '../../core/changes/begin-several.ts';
import { parsePreviewPage, PREVIEW_ROUTE, previewPage } from '../../core/changes/several-messages.ts';
import type { Route } from '../../core/intake/route.ts';

/** The button "Show all" of a preview: every instance in it, page by page, for who was shown it. */
export function previewRoute(deps: Pick<RequestDeps, 'offers'>): Route {
  return {
    id: PREVIEW_ROUTE,
    verb: 'preview',
    permission: 'instances:read',
    writes: false,
    summary: 'every line of a preview',
    handle: async (ask) => {
      const { previewId, from } = parsePreviewPage(ask.value ?? '');
      return previewPage(await readPreview(deps, ask, previewId), previewId, from);
    },
  };
}
