import { BOT, TEAM } from '../../people.ts';
import { SlackNo } from '../api/refusal.ts';
import { compact, type Json, records, string } from '../json.ts';
import type { Workspace } from './workspace.ts';

const DEEPEST = 3;

/** A modal that stands open, or somebody's Home. It lives: an update shows on the same object. */
export class View {
  readonly id: string;
  readonly userId: string;
  readonly previous: View | undefined;
  hash: string;
  content: Json;
  isOpen = true;
  /** What stands under its inputs since the last submission, by block id. */
  errors: Json = {};
  /** How often the person saw it change: by an update, and by errors. */
  revision = 0;

  constructor(id: string, userId: string, content: Json, hash: string, previous?: View) {
    this.id = id;
    this.userId = userId;
    this.content = content;
    this.hash = hash;
    this.previous = previous;
  }

  get type(): string {
    return String(this.content['type']);
  }
  get blocks(): Json[] {
    return records(this.content['blocks']);
  }
  get externalId(): string | undefined {
    return string(this.content['external_id']);
  }
  /** The view under all the others; itself when it stands alone. */
  get root(): View {
    return this.previous?.root ?? this;
  }

  /** The view as the Web API and the payloads give it. */
  toJson(state: Json = {}): Json {
    return compact({
      id: this.id,
      team_id: TEAM.id,
      app_id: BOT.appId,
      app_installed_team_id: TEAM.id,
      bot_id: BOT.botId,
      callback_id: '',
      private_metadata: '',
      external_id: '',
      title: undefined,
      submit: null,
      close: null,
      clear_on_close: false,
      notify_on_close: false,
      ...this.content,
      state: { values: state },
      hash: this.hash,
      root_view_id: this.root.id,
      previous_view_id: this.previous?.id ?? null,
    });
  }
}

/** Everybody's open modals and Homes. */
export class Views {
  readonly #workspace: Workspace;
  readonly #all: View[] = [];

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** A person's open modals, the topmost last. */
  stack(userId: string): View[] {
    return this.#all.filter((view) => view.type === 'modal' && view.userId === userId && view.isOpen);
  }

  home(userId: string): View | undefined {
    return this.#all.find((view) => view.type === 'home' && view.userId === userId);
  }

  find(by: { id?: string | undefined; externalId?: string | undefined }): View | undefined {
    return this.#all.find(
      (view) =>
        view.isOpen &&
        (by.id === undefined
          ? by.externalId !== undefined && view.externalId === by.externalId
          : view.id === by.id),
    );
  }

  /** Opens a modal on an empty screen, or on top of the open ones; three deep at most. */
  open(userId: string, content: Json): View {
    const stack = this.stack(userId);
    if (stack.length >= DEEPEST) throw new SlackNo('push_limit_reached');
    return this.#add(
      new View(this.#workspace.nextId('V'), userId, content, this.#hash(), stack.at(-1)),
      content,
    );
  }

  publish(userId: string, content: Json, hash?: string): View {
    const home = this.home(userId);
    if (home) return this.update(home, content, hash);
    return this.#add(new View(this.#workspace.nextId('V'), userId, content, this.#hash()), content);
  }

  /** Puts new content into a view; with a hash, only when nobody did so before. */
  update(view: View, content: Json, hash?: string): View {
    if (hash !== undefined && hash !== view.hash) throw new SlackNo('hash_conflict');
    this.#refuseDuplicate(content, view);
    view.content = content;
    view.errors = {};
    view.hash = this.#hash();
    view.revision += 1;
    this.#workspace.changes.tell();
    return view;
  }

  /** Shows errors under the inputs of a view, in place of the earlier ones; the person may go on typing. */
  showErrors(view: View, errors: Json): void {
    view.errors = errors;
    view.revision += 1;
    this.#workspace.changes.tell();
  }

  /** Closes one view, or with `all` the whole stack. */
  close(view: View, { all = false } = {}): void {
    for (const one of all ? this.stack(view.userId) : [view]) one.isOpen = false;
    this.#workspace.changes.tell();
  }

  #add(view: View, content: Json): View {
    this.#refuseDuplicate(content, view);
    this.#all.push(view);
    this.#workspace.changes.tell();
    return view;
  }

  #refuseDuplicate(content: Json, except: View): void {
    const externalId = string(content['external_id']);
    const twin = externalId === undefined ? undefined : this.find({ externalId });
    if (twin && twin !== except) throw new SlackNo('duplicate_external_id');
  }

  #hash(): string {
    return `${Math.floor(this.#workspace.clock() / 1000)}.${this.#workspace.nextId('h')}`;
  }
}
