import type { FlowAnswer } from '../../../machinery/questions/flow.js';
import { defineKind } from '../../../machinery/kind.js';
import { invalidValue, Path, type FieldError } from '../../../machinery/meta/field.js';
import type { KubeObject } from '../../../machinery/meta/object.js';
import { badRequest, invalid } from '../../../machinery/meta/status.js';
import { MINUTE, parseTimestamp, type Millis } from '../../../machinery/time/time.js';
import { unknownFields } from '../unknown-fields.js';

/** Who talked to whom lately. It is answered and never stored. */
export interface FlowQuery extends KubeObject {
  spec?: {
    /** A time as RFC 3339; by default two minutes ago. */
    since?: string;
    /** By default 100. */
    limit?: number;
  };
  status?: FlowAnswer;
}

const FIELDS = ['since', 'limit'];
const DEFAULT_SPAN: Millis = 2 * MINUTE;
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 500;
const MAX_STAMP = 40;

export const kind = defineKind<FlowQuery>({
  group: 'terrarium.dev',
  version: 'v1alpha1',
  kind: 'FlowQuery',
  plural: 'flowqueries',
  singular: 'flowquery',
  scope: 'Cluster',
  definition: '',
  verbs: ['create'],
  evaluate(query, _client, { flows, now }) {
    const path = Path.of('spec');
    const { since, limit = DEFAULT_LIMIT } = query.spec ?? {};
    const errors: FieldError[] = unknownFields(query.spec ?? {}, FIELDS, path);
    const from = since === undefined ? now - DEFAULT_SPAN : readTime(since);
    if (from === undefined) errors.push(invalidValue(path.child('since'), since, 'must be a time as RFC 3339 has it'));
    if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT)
      errors.push(invalidValue(path.child('limit'), limit, `must be a number of 1 to ${MAX_LIMIT}`));
    if (errors.length > 0 || from === undefined) throw invalid(kind, query.metadata?.name ?? '', errors);
    if (!flows) throw badRequest('this cluster has no network');
    return { ...query, status: flows({ since: from, limit }, now) };
  },
});

function readTime(text: unknown): Millis | undefined {
  const at = typeof text === 'string' && text.length <= MAX_STAMP ? parseTimestamp(text) : NaN;
  return Number.isNaN(at) ? undefined : at;
}
