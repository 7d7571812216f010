import { BOT, TEAM } from '../../people.ts';
import { compact, type Json, records } from '../json.ts';
import type { Workspace } from './workspace.ts';

/** A modal that stands open, or did, or somebody's Home. A Home lives: what is published shows on the same object. */
export class View {
  readonly id: string;
  readonly userId: string;
  hash: string;
  content: Json;
  isOpen = true;
  /** What stands under its inputs since the last submission, by block id. */
  errors: Json = {};
  /** How often the person saw it change: by errors, and by another content. */
  revision = 0;

  constructor(id: string, userId: string, content: Json, hash: string) {
    this.id = id;
    this.userId = userId;
    this.content = content;
    this.hash = hash;
  }

  get isHome(): boolean {
    return this.content['type'] === 'home';
  }

  get blocks(): Json[] {
    return records(this.content['blocks']);
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
      root_view_id: this.id,
      previous_view_id: null,
    });
  }
}

/** Everybody's modals and Homes. */
export class Views {
  readonly #workspace: Workspace;
  readonly #all: View[] = [];

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** A person's open modal, if there is one. */
  openOf(userId: string): View[] {
    return this.#all.filter((view) => view.userId === userId && view.isOpen && !view.isHome);
  }

  /** Opens a modal in place of the one that is open. */
  open(userId: string, content: Json): View {
    for (const one of this.openOf(userId)) one.isOpen = false;
    return this.#add(userId, content);
  }

  /** What was last published as a person's Home, if anything was. */
  homeOf(userId: string): View | undefined {
    return this.#all.find((view) => view.userId === userId && view.isHome);
  }

  /** Puts content into a person's Home. */
  publish(userId: string, content: Json): View {
    const home = this.homeOf(userId);
    if (!home) return this.#add(userId, content);
    home.content = content;
    home.hash = this.#hash();
    home.revision += 1;
    this.#workspace.changes.tell();
    return home;
  }

  /** Shows errors under the inputs of a view, in place of the earlier ones; the person may go on typing. */
  showErrors(view: View, errors: Json): void {
    view.errors = errors;
    view.revision += 1;
    this.#workspace.changes.tell();
  }

  close(view: View): void {
    view.isOpen = false;
    this.#workspace.changes.tell();
  }

  #add(userId: string, content: Json): View {
    const view = new View(this.#workspace.nextId('V'), userId, content, this.#hash());
    this.#all.push(view);
    this.#workspace.changes.tell();
    return view;
  }

  #hash(): string {
    return `${Math.floor(this.#workspace.clock() / 1000)}.${this.#workspace.nextId('h')}`;
  }
}
