import { decodeBase64Text, encodeBase64Url, findIllegalByte } from '../../../machinery/text/base64.js';
import { ApiError, badRequest } from '../../../machinery/meta/status.js';
import { MINUTE, type Millis } from '../../../machinery/time/time.js';
import { jsonSyntaxFault } from '../../../schema/index.js';

const MAX_TOKEN_LENGTH = 2_048;
const TOKEN_VERSION = 'meta.k8s.io/v1';
/** The revision of a token that goes on with the state as it is by then. */
export const CURRENT_REVISION = -1;
/** The default of kube-apiserver's --etcd-compaction-interval. */
const COMPACTION_INTERVAL: Millis = 5 * MINUTE;

/** Where the next page of a list begins. */
export interface ContinueToken {
  readonly revision: number;
  /** 'namespace/name' or 'name' of the last object of the page before. */
  readonly start: string;
  /** The virtual time of the first page, at which the revision was the head. */
  readonly listedAt?: Millis;
}

/** Models apiserver/pkg/storage/continue.go EncodeContinue; upstream's tokens have no `at`. */
export const encodeContinue = ({ revision, start, listedAt }: ContinueToken): string =>
  encodeBase64Url(JSON.stringify({ v: TOKEN_VERSION, rv: revision, start: `${start}\u0000`, at: listedAt }));

/**
 * Whether upstream has compacted a token's revision by now: each compaction removes what was old at the one before, so
 * that a token lasts for five to ten minutes. Time is virtual, as all of a cluster's history is: a paused cluster
 * compacts nothing, and one that is set ten minutes ahead has been compacted. The age alone decides, since upstream's
 * head moves every few seconds, by heartbeats that are not written here. Models storage/etcd3/compact.go.
 */
export const isCompacted = ({ listedAt }: ContinueToken, now: Millis): boolean =>
  listedAt !== undefined && compactionsUntil(now) - compactionsUntil(listedAt) >= 2;

const compactionsUntil = (at: Millis): number => Math.floor(at / COMPACTION_INTERVAL);

/** Throws 400. Models apiserver/pkg/storage/continue.go DecodeContinue. */
export function decodeContinue(token: string): ContinueToken {
  if (token.length > MAX_TOKEN_LENGTH) throw invalidToken('the token is too long');
  const padded = token.replaceAll('-', '+').replaceAll('_', '/') + '='.repeat((4 - (token.length % 4)) % 4);
  const illegalByte = findIllegalByte(padded);
  if (illegalByte >= 0) throw invalidToken(`illegal base64 data at input byte ${illegalByte}`);
  const { v = '', rv = 0, start = '', at } = parseFields(decodeBase64Text(padded)) ?? {};
  if (v !== TOKEN_VERSION) throw invalidToken(`server does not recognize this encoded version ${String(v)}`);
  if (typeof rv !== 'number' || rv === 0)
    throw invalidToken(`incorrect encoded start resourceVersion (version ${TOKEN_VERSION})`);
  if (typeof start !== 'string' || start === '')
    throw invalidToken(`encoded start key empty (version ${TOKEN_VERSION})`);
  if (start.split('/').includes('..')) throw invalidToken(start);
  return {
    revision: rv,
    start: start.endsWith('\u0000') ? start.slice(0, -1) : start,
    ...(typeof at === 'number' ? { listedAt: at } : {}),
  };
}

function parseFields(text: string): { v?: unknown; rv?: unknown; start?: unknown; at?: unknown } | null {
  try {
    return JSON.parse(text) as ReturnType<typeof parseFields>;
  } catch {
    throw invalidToken(jsonSyntaxFault(text));
  }
}

const invalidToken = (detail: string): ApiError =>
  badRequest(`invalid continue token: continue key is not valid: ${detail}`);

const TOO_OLD =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';

/** 410 with a token that goes on inconsistently. Models etcd3/errors.go handleCompactedErrorForPaging. */
export class ContinueTokenExpired extends ApiError {
  constructor(private readonly start: string) {
    super(410, 'Expired', TOO_OLD);
  }
  override toStatus(): ReturnType<ApiError['toStatus']> {
    const next = encodeContinue({ revision: CURRENT_REVISION, start: this.start });
    return { ...super.toStatus(), metadata: { continue: next } };
  }
}
