import type { Node, Value } from '../machinery/cel/index.js';
import type { AskedRequest } from '../machinery/requests/asked-request.js';
import type { AppliedChange } from '../machinery/requests/http.js';
import { isOfUser } from '../machinery/past-change.js';
import type { Millis } from '../machinery/time/time.js';
import { timeValue } from './resources.js';

/** One thing that has happened: a change, or a request. */
export interface Occurrence {
  readonly type: 'change' | 'request';
  readonly at: Millis;
  readonly revision: number;
  /** What expressions may compare it by before it is made to a value. */
  readonly fields: Readonly<Record<string, unknown>>;
  value(): Value;
}

export function changeOccurrence(change: AppliedChange): Occurrence {
  const { revision, resource, namespace, name, actor, cause, at, object, old } = change;
  const type = change.type === 'delete' ? 'delete' : old ? 'update' : 'create';
  const ofUser = isOfUser(change);
  const fields = { type, resource, namespace, name, actor, ofUser };
  let value: Value | undefined;
  return {
    type: 'change',
    ...{ at, revision, fields },
    value: () => (value ??= { ...fields, revision, cause, at: timeValue(at), object, old: old ?? null }),
  };
}

export function requestOccurrence(request: AskedRequest, at: Millis, revision: number): Occurrence {
  const fields = { ...request };
  let value: Value | undefined;
  return {
    type: 'request',
    ...{ at, revision, fields },
    value: () => (value ??= { ...fields, revision, at: timeValue(at) }),
  };
}

/** What the fields of an occurrence have to be for an expression to hold; nothing where that cannot be read off. */
export type Filter = Readonly<Record<string, string | boolean>>;

/** The comparisons with literals that an expression joins by `&&`. */
export function filterOf(root: Node, variable: string): Filter {
  const filter: Record<string, string | boolean> = {};
  const pending: Node[] = [root];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node.kind === 'select' && isField(node, variable)) filter[node.name] = true;
    if (node.kind !== 'call') continue;
    if (node.fn === '_&&_') pending.push(...node.args);
    if (node.fn !== '_==_') continue;
    const field = node.args.find((one) => one.kind === 'select' && isField(one, variable));
    const literal = node.args.find((one) => one.kind === 'literal');
    if (field?.kind === 'select' && literal?.kind === 'literal' && isPlain(literal.value))
      filter[field.name] = literal.value;
  }
  return filter;
}

const isPlain = (value: unknown): value is string | boolean => typeof value === 'string' || typeof value === 'boolean';

const isField = ({ operand, test, optional }: Extract<Node, { kind: 'select' }>, variable: string): boolean =>
  !test && !optional && operand.kind === 'ident' && operand.name === variable;

/** Whether an expression with this filter may hold of it: a field that cannot be compared is left to the expression. */
export function passesFilter(filter: Filter, { fields }: Occurrence): boolean {
  for (const [name, wanted] of Object.entries(filter)) {
    const value = fields[name];
    if ((typeof value === 'string' || typeof value === 'boolean') && value !== wanted) return false;
  }
  return true;
}
