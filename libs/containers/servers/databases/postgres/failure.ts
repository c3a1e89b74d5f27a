/** An ErrorResponse: its fields as the protocol names them. */
export class PgFailure extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly more: {
      readonly detail?: string;
      readonly hint?: string;
      /** Characters into the query, from 1. */
      readonly position?: number;
      readonly severity?: 'ERROR' | 'FATAL';
      readonly table?: string;
      readonly constraint?: string;
    } = {},
  ) {
    super(message);
  }

  at(position: number | undefined): PgFailure {
    return position === undefined || position <= 0
      ? this
      : new PgFailure(this.code, this.message, { ...this.more, position });
  }
}

/** What the server does not model: the class of a feature that is not supported. */
export const unsupported = (what: string): PgFailure => new PgFailure('0A000', `${what} is not supported`);
