import { growingCache } from '../../machinery/cache.js';
import { authorityKey } from '../../machinery/crypto/cluster-keys.js';
import { sha256 } from '../../machinery/crypto/sha256.js';
import { deriveKey, SigningKey } from '../../machinery/crypto/signing-key.js';
import { Authority } from '../../machinery/crypto/x509/authority.js';
import { encodeEcKey } from '../../machinery/crypto/x509/ec-key.js';
import { commonName } from '../../machinery/crypto/x509/name.js';
import { encodePem } from '../../machinery/crypto/x509/pem.js';
import { encodeUtf8 } from '../../machinery/text/utf8.js';
import { extensionsOf } from '../../node/host/pki/extensions.js';
import type { AuthorityName, KeyPair, KubeletAuthority, NodeIssuer } from '../../node/host/pki/issuer.js';

const MAX_KNOWN = 500;
const SERIAL_BYTES = 8;

interface Known {
  readonly authority: Authority;
  readonly pair: KeyPair;
}

/** The authorities of a cluster's nodes, and what they issue: a function of the cluster's secret. */
export function nodeIssuer(secret: string): NodeIssuer {
  const authorities = growingCache<Known>(MAX_KNOWN);
  const known = growingCache<KeyPair>(MAX_KNOWN);
  const find = (name: AuthorityName | KubeletAuthority): Known => {
    const found = authorities.get(name);
    if (found) return found;
    const key = name === 'kubernetes' ? authorityKey(secret) : deriveKey(secret, `certificate authority ${name}`);
    const authority = new Authority(new SigningKey(key), name);
    const made = { authority, pair: { certificate: authority.pem, key: encodeEcKey(key) } };
    authorities.set(name, made);
    return made;
  };
  return {
    authority: (name) => find(name).pair,
    issue(name, holder, label, from, until) {
      const id = JSON.stringify([name, holder, label, from, until]);
      const made = known.get(id);
      if (made) return made;
      const key = deriveKey(secret, `node certificate ${label}`);
      const bytes = find(name).authority.issue({
        subject: commonName(holder.commonName, holder.organizations),
        serial: sha256(encodeUtf8(id)).subarray(0, SERIAL_BYTES),
        notBefore: from,
        notAfter: until,
        publicKey: new SigningKey(key).publicKey,
        extensions: extensionsOf(holder),
      });
      const pair = { certificate: encodePem('CERTIFICATE', bytes), key: encodeEcKey(key) };
      known.set(id, pair);
      return pair;
    },
  };
}
