/**
 * How one call goes wrong. With `acts`, what was asked for is done first; its answer is what is lost.
 * - `status`: an error of that status, with the cloud's own body
 * - `reset`: the connection is cut
 * - `slow`: done, and answered once `until` has settled; with `before`, done only then
 * - `too-many`: 429 with the cloud's headers, and nothing done
 * - `malformed`: done, and the JSON of the answer breaks off in the middle
 * - `html`: a page of a proxy in front of the cloud
 * - `action-fails`: accepted, and the action ends in an error; with `isLost`, the connection is cut as well
 * - `never-stops`: accepted and completed, and the machine stays as it is
 */
export type Fault =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly message?: string;
      readonly code?: string;
      readonly acts?: boolean;
    }
  | { readonly kind: 'reset'; readonly acts?: boolean }
  | { readonly kind: 'slow'; readonly until: Promise<unknown>; readonly before?: boolean }
  | { readonly kind: 'too-many'; readonly waitSeconds?: number }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'html'; readonly status?: number; readonly acts?: boolean }
  | { readonly kind: 'action-fails'; readonly isLost?: boolean }
  | { readonly kind: 'never-stops' };
