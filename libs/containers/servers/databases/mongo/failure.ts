const NAMES: Readonly<Record<number, string>> = {
  ...{ 2: 'BadValue', 9: 'FailedToParse', 11: 'UserNotFound', 13: 'Unauthorized', 14: 'TypeMismatch' },
  ...{ 18: 'AuthenticationFailed', 26: 'NamespaceNotFound', 27: 'IndexNotFound', 28: 'PathNotViable' },
  ...{ 40: 'ConflictingUpdateOperators', 43: 'CursorNotFound', 48: 'NamespaceExists', 59: 'CommandNotFound' },
  ...{ 66: 'ImmutableField', 73: 'InvalidNamespace', 76: 'NoReplicationEnabled', 85: 'IndexOptionsConflict' },
  ...{ 168: 'InvalidPipelineOperator', 14031: 'OutOfDiskSpace', 11000: 'DuplicateKey', 51003: 'Location51003' },
};

/** An error that a command answers with. */
export class MongoFailure extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }

  get codeName(): string {
    return NAMES[this.code] ?? `Location${this.code}`;
  }
}
