import { decodeBase64Text } from '../../../../engine/machinery/text/base64.js';
import type { CertificateRequest as Parsed } from '../../../../engine/machinery/crypto/x509/request.js';
import { fnv32a } from '../../../../engine/controllers/hash.js';
import { ACME_GROUP, Orders, type CertificateRequest, type Issuer, type Order } from '../resources.js';
import { create, ownedBy, shortened, type Outcome, type Work } from '../work.js';

export const FAILED = ['invalid', 'expired', 'errored'];

/** Objects of ACME are named by what they say. Models pkg/api/util ComputeName. */
export const computeName = (prefix: string, spec: unknown): string =>
  `${shortened(prefix)}-${fnv32a(JSON.stringify(spec))}`;

/** A request to ACME is an Order. Models pkg/controller/certificaterequests/acme. */
export function followOrder(work: Work, request: CertificateRequest, _issuer: Issuer, parsed: Parsed): Outcome {
  const { dns } = parsed.names;
  const { commonName } = parsed.subject;
  const addresses = parsed.names.addresses.map((bytes) => bytes.join('.'));
  if (commonName !== '' && !dns.includes(commonName) && !addresses.includes(commonName))
    return {
      failed: 'InvalidOrder',
      message: `The CSR PEM requests a commonName that is not present in the list of dnsNames or ipAddresses. If a commonName is set, ACME requires that the value is also present in the list of dnsNames or ipAddresses: "${commonName}" does not exist in [${dns.join(' ')}] or [${addresses.join(' ')}]`,
    };
  const { name = '', namespace = '', annotations, labels } = request.metadata;
  const spec: Order['spec'] = {
    ...(commonName === '' ? {} : { commonName }),
    ...(dns.length === 0 ? {} : { dnsNames: dns }),
    ...(addresses.length === 0 ? {} : { ipAddresses: addresses }),
    ...{ issuerRef: request.spec.issuerRef, request: request.spec.request },
  };
  const own = computeName(name, { ...spec, request: undefined });
  const order = work.api.get(Orders, { namespace, name: own });
  if (!order) {
    create(work, Orders, {
      ...{ apiVersion: `${ACME_GROUP}/v1`, kind: 'Order', spec },
      metadata: {
        ...{ name: own, namespace, ownerReferences: ownedBy(request) },
        ...(annotations ? { annotations } : {}),
        ...(labels ? { labels } : {}),
      },
    });
    return { pending: 'OrderCreated', message: `Created Order resource ${namespace}/${own}` };
  }
  return outcomeOf(order);
}

function outcomeOf({ metadata, status }: Order): Outcome {
  const { name, namespace } = metadata;
  const { state = '', reason = '', certificate } = status ?? {};
  if (FAILED.includes(state))
    return {
      failed: 'OrderFailed',
      message: `Failed to wait for order resource "${name}" to become ready: order is in "${state}" state: ${reason}`,
    };
  if (state !== 'valid' || !certificate)
    return {
      pending: 'OrderPending',
      message: `Waiting on certificate issuance from order ${namespace}/${name}: "${state}"`,
    };
  return { certificate: decodeBase64Text(certificate) };
}
