import { decodeBase64Text, encodeBase64Url, findIllegalByte } from '../../machinery/base64.js';
import { ApiError, badRequest } from '../../machinery/meta/status.js';
import { jsonSyntaxFault } from '../../schema/index.js';

const MAX_TOKEN_LENGTH = 2_048;
const TOKEN_VERSION = 'meta.k8s.io/v1';
/** The revision of a token that goes on with the state as it is by then. */
export const CURRENT_REVISION = -1;

/** Where the next page of a list begins. */
export interface ContinueToken {
  readonly revision: number;
  /** 'namespace/name' or 'name' of the last object of the page before. */
  readonly start: string;
}

/** Models apiserver/pkg/storage/continue.go EncodeContinue. */
export const encodeContinue = ({ revision, start }: ContinueToken): string =>
  encodeBase64Url(JSON.stringify({ v: TOKEN_VERSION, rv: revision, start: `${start}\u0000` }));

/** Throws 400. Models apiserver/pkg/storage/continue.go DecodeContinue. */
export function decodeContinue(token: string): ContinueToken {
  if (token.length > MAX_TOKEN_LENGTH) throw invalidToken('the token is too long');
  const padded = token.replaceAll('-', '+').replaceAll('_', '/') + '='.repeat((4 - (token.length % 4)) % 4);
  const illegalByte = findIllegalByte(padded);
  if (illegalByte >= 0) throw invalidToken(`illegal base64 data at input byte ${illegalByte}`);
  const { v = '', rv = 0, start = '' } = parseFields(decodeBase64Text(padded)) ?? {};
  if (v !== TOKEN_VERSION) throw invalidToken(`server does not recognize this encoded version ${String(v)}`);
  if (typeof rv !== 'number' || rv === 0)
    throw invalidToken(`incorrect encoded start resourceVersion (version ${TOKEN_VERSION})`);
  if (typeof start !== 'string' || start === '')
    throw invalidToken(`encoded start key empty (version ${TOKEN_VERSION})`);
  if (start.split('/').includes('..')) throw invalidToken(start);
  return { revision: rv, start: start.replace(/\u0000$/, '') };
}

function parseFields(text: string): { v?: unknown; rv?: unknown; start?: unknown } | null {
  try {
    return JSON.parse(text) as ReturnType<typeof parseFields>;
  } catch {
    throw invalidToken(jsonSyntaxFault(text));
  }
}

const invalidToken = (detail: string): ApiError =>
  badRequest(`invalid continue token: continue key is not valid: ${detail}`);

const TOO_OLD =
  'The provided continue parameter is too old to display a consistent list result. You must start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';

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
