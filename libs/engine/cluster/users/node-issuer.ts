import { growingCache } from '../../machinery/cache.js';
import { authorityKey } from '../../machinery/crypto/cluster-keys.js';
import { sha256 } from '../../machinery/crypto/sha256.js';
import { deriveKey, SigningKey } from '../../machinery/crypto/signing-key.js';
import { Authority } from '../../machinery/crypto/x509/authority.js';
import { oid, sequence } from '../../machinery/crypto/x509/der.js';
import { encodeEcKey } from '../../machinery/crypto/x509/ec-key.js';
import {
  EXTENSION,
  writeAlternativeNames,
  writeExtension,
  writeKeyUsage,
} from '../../machinery/crypto/x509/extensions.js';
import { commonName } from '../../machinery/crypto/x509/name.js';
import { encodePem } from '../../machinery/crypto/x509/pem.js';
import { encodeUtf8 } from '../../machinery/text/utf8.js';
import { EXTENDED_USAGES } from '../../kinds/certificates/usages.js';
import type { AuthorityName, Holder, KeyPair, NodeIssuer } from '../../node/host/pki/issuer.js';

const MAX_KNOWN = 500;
/** digitalSignature and keyEncipherment. */
const USAGE = new Set([0, 2]);
const SERIAL_BYTES = 8;

/** The authorities of a cluster's nodes, and what they issue: a function of the cluster's secret. */
export function nodeIssuer(secret: string): NodeIssuer {
  const authorities = new Map<AuthorityName, { readonly authority: Authority; readonly pair: KeyPair }>();
  const known = growingCache<KeyPair>(MAX_KNOWN);
  const find = (name: AuthorityName): { readonly authority: Authority; readonly pair: KeyPair } => {
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

function extensionsOf({ usages, dns = [], addresses = [] }: Holder): Uint8Array[] {
  return [
    writeKeyUsage(USAGE),
    writeExtension(EXTENSION.extendedKeyUsage, false, sequence(...usages.map((usage) => oid(EXTENDED_USAGES[usage]!)))),
    writeExtension(EXTENSION.basicConstraints, true, sequence()),
    ...(dns.length + addresses.length === 0
      ? []
      : [writeAlternativeNames({ dns, addresses: addresses.map(bytesOfAddress) })]),
  ];
}

/** 4 bytes, or 16 of the loopback. */
const bytesOfAddress = (text: string): Uint8Array =>
  text === '::1' ? Uint8Array.of(...new Array<number>(15).fill(0), 1) : Uint8Array.from(text.split('.').map(Number));
