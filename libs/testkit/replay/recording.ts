import { createHash } from 'node:crypto';
import path from 'node:path';
import { type ApiRequest, type AppliedChange, type TemplateOptions, type User } from '@terrarium/engine';

/** Here each recording stands as `<name>.jsonl` (inputs) and `<name>.changes`. */
export const RECORDINGS = path.join(import.meta.dirname, 'recordings');

/** Settings of the cluster that was recorded. */
export interface Header {
  /** The numbered behaviour that the log was recorded with. */
  readonly behaviour: number;
  readonly seed: string;
  readonly tokenKey?: string;
  readonly template: TemplateOptions;
  /** Virtual time of the first input, ms since the epoch. */
  readonly start: number;
}

/** One input of a cluster: a request, or without one "time has reached `at`". Requests that only read are left out. */
export interface Input {
  /** Virtual ms since the recording's start. */
  readonly at: number;
  readonly request?: RecordedRequest;
}

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly query?: string;
  readonly headers: Readonly<Record<string, string>>;
  /** UTF-8 text, or base64 of a body that is none (protobuf). */
  readonly text?: string;
  readonly base64?: string;
  readonly user?: User;
  /** Base64 of the client certificate's DER. */
  readonly certificate?: string;
}

/** Inputs and the log that followed from them. */
export interface Recording {
  readonly header: Header;
  readonly inputs: readonly Input[];
}

/** Headers that a cluster's answer to a write depends on. */
const HEADERS = /^(accept|authorization|content-type|impersonate-.*|user-agent)$/;

export function toRecordedRequest(request: ApiRequest): RecordedRequest {
  const { method, path, query, headers, body, user, clientCertificate } = request;
  const kept = Object.entries(headers).filter(([name, value]) => HEADERS.test(name) && value !== undefined);
  return {
    method,
    path,
    ...(query ? { query } : {}),
    headers: Object.fromEntries(kept) as Record<string, string>,
    ...toRecordedBody(body),
    ...(user ? { user } : {}),
    ...(clientCertificate ? { certificate: Buffer.from(clientCertificate).toString('base64') } : {}),
  };
}

function toRecordedBody(body: Uint8Array | undefined): Pick<RecordedRequest, 'text' | 'base64'> {
  if (body === undefined) return {};
  const bytes = Buffer.from(body);
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? { text } : { base64: bytes.toString('base64') };
}

export function toRequest(recorded: RecordedRequest): ApiRequest {
  const { method, path, query = '', headers, text, base64, user, certificate } = recorded;
  const body = base64 === undefined ? text && Buffer.from(text, 'utf8') : Buffer.from(base64, 'base64');
  return {
    method,
    path,
    query,
    headers,
    ...(body ? { body: new Uint8Array(body) } : {}),
    ...(user ? { user } : {}),
    ...(certificate ? { clientCertificate: new Uint8Array(Buffer.from(certificate, 'base64')) } : {}),
  };
}

/** The header, then an input a line. */
export const formatRecording = ({ header, inputs }: Recording): string =>
  `${[header, ...inputs].map((line) => JSON.stringify(line)).join('\n')}\n`;

export function parseRecording(text: string): Recording {
  const [header, ...inputs] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  return { header: header as Header, inputs: inputs as Input[] };
}

const DIGEST_LENGTH = 16;

/** One change as a line of a log: everything about it, the object as a digest of its JSON. */
export function formatChange(change: AppliedChange, start: number): string {
  const { revision, type, resource, namespace, name, actor, cause, at, object } = change;
  const digest = createHash('sha256').update(JSON.stringify(object)).digest('hex').slice(0, DIGEST_LENGTH);
  return `${revision} +${at - start} ${type} ${resource} ${namespace}/${name} by ${actor} because of ${cause} ${digest}`;
}
