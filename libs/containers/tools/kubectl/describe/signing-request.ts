import { parseRequest } from '../../../../engine/machinery/crypto/x509/request.js';
import { DerError } from '../../../../engine/machinery/crypto/x509/der.js';
import { addressOfBytes } from '../../../../engine/machinery/net/netip.js';
import { humanDuration } from '../../../../engine/machinery/time/time.js';
import { formatLabels } from '../output/table.js';
import { KubectlFailure } from '../session/failure.js';
import type { ApiObject, Session } from '../session/session.js';
import { type Details, longTime } from './parts/details.js';
import { describeEvents } from './parts/events.js';

/** Attributes of a name, in the order in which they are told. */
const ATTRIBUTES = [
  ['Organization', '2.5.4.10'],
  ['Organizational Unit', '2.5.4.11'],
  ['Country', '2.5.4.6'],
  ['Locality', '2.5.4.7'],
  ['Province', '2.5.4.8'],
  ['StreetAddress', '2.5.4.9'],
  ['PostalCode', '2.5.4.17'],
] as const;
const SERIAL_NUMBER = '2.5.4.5';

interface Spec {
  readonly request: string;
  readonly signerName?: string;
  readonly expirationSeconds?: number;
  readonly username?: string;
}

/** Models k8s.io/kubectl/pkg/describe describeCertificateSigningRequest. */
export function describeSigningRequest(session: Session, details: Details, object: ApiObject): void {
  const { metadata = {} } = object;
  const { request, signerName, expirationSeconds, username } = object['spec'] as Spec;
  const { subject, names } = parsed(request);
  details.field(0, 'Name', metadata.name ?? '');
  details.field(0, 'Labels', formatLabels(metadata.labels));
  details.field(0, 'Annotations', formatLabels(metadata.annotations));
  details.field(0, 'CreationTimestamp', longTime(metadata.creationTimestamp));
  details.field(0, 'Requesting User', username ?? '');
  if (signerName) details.field(0, 'Signer', signerName);
  if (expirationSeconds !== undefined) details.field(0, 'Requested Duration', humanDuration(expirationSeconds * 1000));
  details.field(0, 'Status', statusOf(object));
  details.line(0, 'Subject:');
  details.line(0, `\tCommon Name:\t${subject.commonName}`);
  details.line(0, `\tSerial Number:\t${subject.attributes.get(SERIAL_NUMBER)?.at(-1) ?? ''}`);
  const list = (title: string, values: readonly string[]): void => {
    if (values.length > 0) details.line(0, `\t${title}:\t${values.join('\n\t\t')}`);
  };
  for (const [title, id] of ATTRIBUTES) list(title, subject.attributes.get(id) ?? []);
  const { dns, emails, uris, addresses } = names;
  if (dns.length + emails.length + uris.length + addresses.length > 0) details.line(0, 'Subject Alternative Names:');
  list('DNS Names', dns);
  list('Email Addresses', emails);
  list('URIs', uris);
  list(
    'IP Addresses',
    addresses.map((bytes) => String(addressOfBytes(bytes))),
  );
  describeEvents(session, details, object);
}

function parsed(request: string): ReturnType<typeof parseRequest> {
  try {
    return parseRequest(atob(request));
  } catch (error) {
    if (error instanceof DerError) throw new KubectlFailure(`Error parsing CSR: ${error.message}`);
    throw error;
  }
}

function statusOf(object: ApiObject): string {
  const { conditions = [], certificate } = (object['status'] ?? {}) as {
    readonly conditions?: readonly { readonly type: string }[];
    readonly certificate?: string;
  };
  const has = (type: string): boolean => conditions.some((one) => one.type === type);
  const first = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending';
  return `${first}${has('Failed') ? ',Failed' : ''}${certificate ? ',Issued' : ''}`;
}
