import { bytesOf, textOf, type Bytes } from '../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import type { Wait } from '../../../../engine/kernel/process/program.js';
import { decodeBase64Url } from '../../../../engine/machinery/text/base64.js';
import { isSignedBy } from '../../../../engine/machinery/crypto/signing-key.js';
import { decodeUtf8Lossy, encodeUtf8 } from '../../../../engine/machinery/text/utf8.js';
import { parseUrl, type Fetch } from '../../../tools/network/fetch.js';
import { formatTime, quote } from '../../go.js';
import { defineJob, readFlags, type Command, type Job } from '../command/command.js';
import type { FlagTable } from '../command/flags.js';
import { awaitAnswer, getWithToken, inClusterConfig } from './in-cluster.js';
import { readFile } from '../print/mounttest.js';

const FLAGS: FlagTable = { 'token-path': ['string', ''], audience: ['string', ''] };

type State = { token: Bytes; step: 'token' | 'provider' | 'keys'; fetch: Fetch | null };

interface Claims {
  readonly iss?: string;
  readonly sub?: string;
  readonly aud?: readonly string[] | string;
  readonly exp?: number;
  readonly 'kubernetes.io'?: {
    readonly namespace?: string;
    readonly serviceaccount?: { readonly name?: string; readonly uid?: string };
  };
}

interface Key {
  readonly kid?: string;
  readonly kty?: string;
  readonly x?: string;
  readonly y?: string;
}

class Failure extends Error {}

/**
 * Checks a mounted token as a relying party does, by the issuer's discovery document and keys. Models
 * test/images/agnhost/openidmetadata. Left out: an issuer outside the cluster, which nothing here reaches.
 */
export const issuerDiscovery: Command = {
  flags: FLAGS,
  program: defineJob<State>(
    () => ({ token: '', step: 'token', fetch: null }),
    (job) => {
      try {
        return job.own.step === 'token' ? begin(job) : proceed(job);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        job.log(`failed to validate with in-cluster discovery: ${error.message}`);
        job.log('falling back to validating with external discovery');
        job.log(error.message);
        return 1;
      }
    },
  ),
};

function begin(job: Job<State>): number | Wait {
  const { sys, own } = job;
  const path = readFlags(FLAGS, job.argv).text('token-path');
  try {
    own.token = readFile(sys, path).trim();
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    job.log(`open ${path}: ${error.message.toLowerCase()}`);
    return 1;
  }
  job.log('OK: Got token');
  job.log('validating with in-cluster discovery');
  const config = inClusterConfig(sys);
  if ('error' in config) {
    job.log(config.error);
    return 1;
  }
  const claims = claimsOf(own.token);
  if (claims === undefined) {
    job.log('square/go-jose: compact JWS format must have three parts');
    return 1;
  }
  job.log(`OK: got issuer ${bytesOf(claims.iss ?? '')}`);
  job.log(`Full, not-validated claims: \n${bytesOf(describe(claims))}`);
  own.step = 'provider';
  own.fetch = ask(job, `${claims.iss ?? ''}/.well-known/openid-configuration`);
  return proceed(job);
}

function ask({ sys }: Job<State>, address: string): Fetch {
  const url = parseUrl(bytesOf(address));
  const config = inClusterConfig(sys);
  if (url?.scheme !== 'https' || 'error' in config)
    throw new Failure(`Get ${quote(bytesOf(address))}: unsupported URL`);
  return getWithToken(sys, url.host, url.port, url.path, config.token);
}

function proceed(job: Job<State>): number | Wait {
  const { sys, own } = job;
  const outcome = awaitAnswer(sys, own.fetch!);
  if ('wait' in outcome) return outcome.wait;
  if ('error' in outcome) throw new Failure(outcome.error);
  const { status, body } = outcome.answer;
  if (status !== 200) throw new Failure(`${status}: ${body}`);
  const claims = claimsOf(own.token)!;
  if (own.step === 'provider') {
    const { issuer = '', jwks_uri: keys = '' } = parse<{ issuer?: string; jwks_uri?: string }>(body);
    if (issuer !== claims.iss)
      throw new Failure(
        `oidc: issuer did not match the issuer returned by provider, expected "${claims.iss ?? ''}" got "${issuer}"`,
      );
    job.log(`OK: Constructed OIDC provider for issuer ${bytesOf(issuer)}`);
    checkAudience(claims, readFlags(FLAGS, job.argv).text('audience'));
    if ((claims.exp ?? 0) * 1_000 < sys.now)
      throw new Failure(`oidc: token is expired (Token Expiry: ${formatTime((claims.exp ?? 0) * 1_000)})`);
    own.step = 'keys';
    own.fetch = ask(job, keys);
    return proceed(job);
  }
  if (!isSigned(own.token, parse<{ keys?: readonly Key[] }>(body).keys ?? []))
    throw new Failure('failed to verify signature: failed to verify id token signature');
  job.log('OK: Validated signature on JWT');
  job.log('OK: Got valid claims from token!');
  job.log(`Full, validated claims: \n&${bytesOf(describe(claims))}`);
  return 0;
}

function checkAudience({ aud = [] }: Claims, wanted: Bytes): void {
  const given = typeof aud === 'string' ? [aud] : aud;
  if (!given.includes(textOf(wanted)))
    throw new Failure(
      `oidc: expected audience ${quote(wanted)} got [${given.map((one) => quote(bytesOf(one))).join(' ')}]`,
    );
}

function parse<T>(body: Bytes): T {
  try {
    return JSON.parse(textOf(body)) as T;
  } catch {
    throw new Failure('failed to unmarshal response: invalid character');
  }
}

/** Undefined for what is no token. */
function claimsOf(token: Bytes): Claims | undefined {
  const [, body, signature, ...more] = token.split('.');
  if (body === undefined || signature === undefined || more.length > 0) return undefined;
  try {
    return JSON.parse(decodeUtf8Lossy(decodeBase64Url(body))) as Claims;
  } catch {
    return undefined;
  }
}

/** Left out: RS256, which no cluster here signs with. */
function isSigned(token: Bytes, keys: readonly Key[]): boolean {
  const [head = '', body = '', signature = ''] = token.split('.');
  const { kid } = JSON.parse(decodeUtf8Lossy(decodeBase64Url(head))) as { kid?: string };
  const key = keys.find((one) => one.kid === kid && one.kty === 'EC');
  if (key?.x === undefined || key.y === undefined) return false;
  const point = Uint8Array.of(4, ...decodeBase64Url(key.x), ...decodeBase64Url(key.y));
  return isSignedBy(point, encodeUtf8(`${head}.${body}`), decodeBase64Url(signature));
}

/** %#v of the claims. */
function describe({ iss = '', sub = '', aud = [], 'kubernetes.io': own }: Claims): string {
  const audience = (typeof aud === 'string' ? [aud] : aud).map((one) => `"${one}"`).join(', ');
  const { name = '', uid = '' } = own?.serviceaccount ?? {};
  const account = `openidmetadata.kubeName{Name:"${name}", UID:"${uid}"}`;
  const kubernetes = `openidmetadata.kubeClaims{Namespace:"${own?.namespace ?? ''}", ServiceAccount:${account}}`;
  return `openidmetadata.claims{Claims:jwt.Claims{Issuer:"${iss}", Subject:"${sub}", Audience:jwt.Audience{${audience}}}, Kubernetes:${kubernetes}}`;
}
