import { ApiError } from '../../machinery/meta/status.js';
import type { Kind } from '../../machinery/kind.js';
import type { AdmissionPlugin } from '../../runtime/admission.js';
import { Registry } from '../../runtime/registry.js';
import { State } from '../../runtime/state/state.js';
import { widget, Widgets, type Widget } from '../../runtime/testing.js';
import { Store } from './store.js';
import { componentOptions, type WriteOptions } from './write-options.js';

export const KEY = { namespace: 'default', name: 'a' };
const NOON = Date.UTC(2026, 0, 1, 12);
const REQUESTER = { user: { name: 'me', groups: [] }, cause: 0 };

/** A component's writes, validated. */
export const COMPONENT: WriteOptions = componentOptions(REQUESTER, true);

/** A request's writes, of which no manager owns the fields; `warnings` collects their warnings. */
export const requestOptions = (warnings: string[] = []): WriteOptions => ({
  ...COMPONENT,
  origin: { type: 'request', options: {}, warn: (text) => void warnings.push(text) },
  fieldOwner: { type: 'none' },
});

/** A Store in memory at noon on 2026-01-01 that knows Widgets. For specs. */
export class TestStore {
  readonly state = new State({ now: NOON });
  readonly store: Store;

  constructor(plugins: readonly AdmissionPlugin[] = [], kinds: readonly Kind[] = [Widgets]) {
    this.store = new Store(this.state, new Registry(kinds), plugins, { seed: 'seed' });
  }

  /** Creates the widget 'a' of size 1 for a component. */
  create(kind: Kind<Widget> = Widgets, metadata: Widget['metadata'] = {}): Widget {
    return this.store.create(kind, widget('a', { size: 1 }, metadata), COMPONENT);
  }

  /** The widget 'a' as it is stored. */
  get stored(): Widget | undefined {
    return this.state.get(Widgets, KEY);
  }
}

/** The code and the message of the ApiError that a write is refused with. */
export function refusalOf(write: () => unknown): [code: number, message: string] {
  try {
    write();
  } catch (error) {
    if (error instanceof ApiError) return [error.code, error.message];
    throw error;
  }
  throw new Error('the write was not refused');
}

/** Widgets and a plug-in whose hooks write down that they are called. */
export function recordHooks(): { calls: string[]; kind: Kind<Widget>; plugin: AdmissionPlugin } {
  const calls: string[] = [];
  const record = (name: string) => (): void => void calls.push(name);
  const recordErrors = (name: string) => (): [] => (calls.push(name), []);
  const kind: Kind<Widget> = {
    ...Widgets,
    defaults: record('defaults'),
    prepareForCreate: record('prepareForCreate'),
    prepareForUpdate: record('prepareForUpdate'),
    prepareForStatusUpdate: record('prepareForStatusUpdate'),
    prepareForDelete: record('prepareForDelete'),
    validate: recordErrors('validate'),
    validateNew: recordErrors('validateNew'),
    validateUpdate: recordErrors('validateUpdate'),
    validateStatusUpdate: recordErrors('validateStatusUpdate'),
  };
  return { calls, kind, plugin: { name: 'Recorder', mutate: record('mutate'), validate: record('admit') } };
}
