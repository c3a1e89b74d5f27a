/** An error packet: its number, SQLSTATE and words. */
export class MyFailure extends Error {
  constructor(
    readonly number: number,
    readonly state: string,
    message: string,
  ) {
    super(message);
  }
}

export const unsupported = (what: string): MyFailure =>
  new MyFailure(1235, '42000', `This version of MySQL doesn't yet support '${what}'`);
export const noDatabase = (): MyFailure => new MyFailure(1046, '3D000', 'No database selected');
export const unknownTable = (database: string, name: string): MyFailure =>
  new MyFailure(1146, '42S02', `Table '${database}.${name}' doesn't exist`);
export const unknownDatabase = (name: string): MyFailure => new MyFailure(1049, '42000', `Unknown database '${name}'`);

/** `near`: the statement from where it is not understood. */
export const syntaxFailure = (near: string, line = 1): MyFailure =>
  new MyFailure(
    1064,
    '42000',
    `You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version for the right syntax to use near '${near.slice(0, 80)}' at line ${line}`,
  );
