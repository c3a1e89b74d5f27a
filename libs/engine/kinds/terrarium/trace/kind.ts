import { defineKind } from '../../../machinery/kind.js';
import { invalidValue, notSupported, Path, required, type FieldError } from '../../../machinery/meta/field.js';
import type { KubeObject } from '../../../machinery/meta/object.js';
import { badRequest, invalid } from '../../../machinery/meta/status.js';
import { parseAddress } from '../../../machinery/net/netip.js';
import {
  parseTraceEnd,
  type TraceAnswer,
  type TraceEnd,
  type TraceQuestion,
} from '../../../machinery/questions/trace.js';
import { unknownFields } from '../unknown-fields.js';

/** What happens to the first packet of a connection. It is answered and never stored. */
export interface Trace extends KubeObject {
  spec: {
    /** TraceEnd as text. */
    from: string;
    to: string;
    port?: number | string;
    protocol?: string;
  };
  status?: TraceAnswer;
}

const FIELDS = ['from', 'to', 'port', 'protocol'];
const PROTOCOLS: readonly TraceQuestion['protocol'][] = ['TCP', 'UDP', 'SCTP'];
const MAX_PORT = 65_535;
const FORMS = 'must be pod/NAMESPACE/NAME, service/NAMESPACE/NAME, node/NAME, an address or a name';
const SENDERS: readonly TraceEnd['type'][] = ['pod', 'node', 'address'];

export const kind = defineKind<Trace>({
  group: 'terrarium.dev',
  version: 'v1alpha1',
  kind: 'Trace',
  plural: 'traces',
  singular: 'trace',
  scope: 'Cluster',
  definition: '',
  verbs: ['create'],
  evaluate(trace, _client, { trace: walk, now }) {
    const question = readQuestion(trace);
    if (!walk) throw badRequest('this cluster has no network');
    const answer = walk(question, now);
    if (typeof answer === 'string') throw badRequest(answer);
    return { ...trace, status: answer };
  },
});

function readQuestion({ metadata, spec }: Trace): TraceQuestion {
  const errors: FieldError[] = [];
  const question = readConnection(spec, Path.of('spec'), errors);
  if (errors.length > 0 || !question) throw invalid(kind, metadata?.name ?? '', errors);
  return question;
}

/** The question that a spec asks; undefined: `errors` says why it asks none. */
export function readConnection(
  spec: Trace['spec'] | undefined,
  path: Path,
  errors: FieldError[],
): TraceQuestion | undefined {
  const { from: fromText, to: toText, port, protocol = 'TCP' } = spec ?? {};
  errors.push(...unknownFields(spec ?? {}, FIELDS, path));
  const from = readEnd(fromText, path.child('from'), errors);
  const to = readEnd(toText, path.child('to'), errors);
  if (from && !SENDERS.includes(from.type))
    errors.push(invalidValue(path.child('from'), fromText, 'must be a pod, a node or an address'));
  if (!isPort(port)) errors.push(invalidValue(path.child('port'), port, 'must be a port of 1 to 65535, or its name'));
  if (port === undefined && to && to.type !== 'service')
    errors.push(required(path.child('port'), 'only a Service has ports of its own'));
  const known = PROTOCOLS.find((one) => one === protocol);
  if (!known) errors.push(notSupported(path.child('protocol'), protocol, PROTOCOLS));
  if (errors.length > 0 || !from || !to || !known) return undefined;
  return { from, to, protocol: known, ...(port === undefined ? {} : { port }) };
}

function readEnd(text: unknown, path: Path, errors: FieldError[]): TraceEnd | undefined {
  if (text === undefined) return void errors.push(required(path));
  const end = typeof text === 'string' ? parseTraceEnd(text, (one) => parseAddress(one) !== undefined) : undefined;
  if (!end) errors.push(invalidValue(path, text, FORMS));
  return end;
}

const isPort = (port: unknown): boolean =>
  port === undefined ||
  (typeof port === 'string' && port !== '' && port.length <= 63) ||
  (typeof port === 'number' && Number.isInteger(port) && port >= 1 && port <= MAX_PORT);
