/** Why a request was not answered as asked: the server's own words. */
export class Failure extends Error {
  constructor(
    message: string,
    /** HTTP's; 0 when there was no answer. */
    readonly status: number,
    readonly details?: unknown,
  ) {
    super(message);
  }
}

interface GraphQLErrorLike {
  readonly message?: string;
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** What a promise or a subscription was rejected with. */
export function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const [first] = (Array.isArray(error) ? error : [error]) as readonly GraphQLErrorLike[];
  const status = Number(first?.extensions?.['status'] ?? 0);
  return new Failure(
    first?.message || String(first),
    Number.isFinite(status) ? status : 0,
    first?.extensions?.['details'],
  );
}
