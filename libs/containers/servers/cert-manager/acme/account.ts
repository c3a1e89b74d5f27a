import { Secrets, Services } from '../../../../engine/kinds/index.js';
import { encodeBase64 } from '../../../../engine/machinery/text/base64.js';
import { readPrivateKey } from '../../../tools/openssl/keys.js';
import { textOfSecret } from '../../ingress/secrets.js';
import { makePrivateKey } from '../private-keys.js';
import type { Acme, Issuer } from '../resources.js';
import { secretNamespaceOf, type Verdict, type Work } from '../work.js';
import { addressOf, hostOfServer, isSimulated, numberFor } from './server.js';

const REGISTERED = 'The ACME account was registered with the ACME server';

/** An issuer's account, with its key in a Secret. Models pkg/issuer/acme/setup.go. */
export function settleAccount(work: Work, issuer: Issuer, { server, email = '', privateKeySecretRef }: Acme): Verdict {
  const { name, key: field = 'tls.key' } = privateKeySecretRef;
  const namespace = secretNamespaceOf(work, issuer);
  const fault = (reason: string, message: string, error?: string): Verdict => ({
    ...{ isReady: false, reason, message, ...(error === undefined ? {} : { error }) },
  });
  const secret = work.api.get(Secrets, { namespace, name });
  const pem = secret ? textOfSecret(secret.data?.[field]) : makeAccountKey(work, namespace, name, field);
  if (pem === undefined) {
    const error = `no data for "${field}" in secret '${namespace}/${name}'`;
    return fault('ErrVerifyACMEAccount', `Account private key is invalid: ${error}`);
  }
  if (readPrivateKey(pem)?.kind !== 'RSA')
    return fault('ErrVerifyACMEAccount', `ACME private key in "${name}" is not of type RSA`);
  if (!isSimulated(server)) {
    const error = `Get "${server}": dial tcp: lookup ${hostOfServer(server) ?? server} on ${nameServer(work)}:53: no such host`;
    return fault('ErrRegisterACMEAccount', `Failed to register ACME account: ${error}`, error);
  }
  const acme = { lastRegisteredEmail: email, uri: addressOf(server, 'acct', numberFor(pem)) };
  return { isReady: true, reason: 'ACMEAccountRegistered', message: REGISTERED, acme };
}

function makeAccountKey(work: Work, namespace: string, name: string, field: string): string {
  const pem = makePrivateKey(undefined, work.seed(`account ${namespace}/${name}`))!;
  work.api.create(Secrets, {
    ...{ apiVersion: 'v1', kind: 'Secret', type: 'Opaque', data: { [field]: encodeBase64(pem) } },
    metadata: { name, namespace },
  });
  return pem;
}

export const nameServer = ({ api }: Work): string =>
  api.get(Services, { namespace: 'kube-system', name: 'kube-dns' })?.spec.clusterIP ?? '';

/** What of its account's key stands in the answers to challenges. */
export function accountOf(work: Work, issuer: Issuer): string {
  const { name = '', key = 'tls.key' } = issuer.spec.acme?.privateKeySecretRef ?? {};
  const secret = work.api.get(Secrets, { namespace: secretNamespaceOf(work, issuer), name });
  return textOfSecret(secret?.data?.[key]) ?? '';
}
