import crypto from 'node:crypto';
import { SigningKey, x509 } from '@terrarium/engine';
import type { PrismaClient } from '../database.js';

/** The same name as that of the self-signed certificates of earlier releases, so that their kubeconfigs stay good. */
const NAME = 'terrarium';
const ROW = { id: 1 };

/**
 * The authority that signs the certificate which the API shows. Its key is made once and kept in the database, so that
 * all processes share it; its own certificate follows from the key.
 */
export async function loadAuthority(database: PrismaClient): Promise<x509.Authority> {
  await database.certificateAuthority.createMany({
    data: { ...ROW, privateKey: generatePrivateKey() },
    skipDuplicates: true,
  });
  const { privateKey } = await database.certificateAuthority.findUniqueOrThrow({ where: ROW });
  const { d } = crypto.createPrivateKey(privateKey).export({ format: 'jwk' });
  return new x509.Authority(new SigningKey(Buffer.from(d!, 'base64url')), NAME);
}

/** PKCS #8, PEM, on P-256. */
const generatePrivateKey = (): string =>
  crypto
    .generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
    .privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
