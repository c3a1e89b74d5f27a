/** A row of a Table: the scalar `TableRow` of the schema. */
export interface Row {
  /** "NAMESPACE/NAME". */
  readonly key: string;
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  /** The object's resourceVersion. */
  readonly version: string;
  /** RFC 3339. */
  readonly created: string;
  readonly deleting: boolean;
  readonly labels: Readonly<Record<string, string>>;
  readonly cells: readonly unknown[];
  /** Virtual ms at which its cells were written: ages in them are of then. None in the past. */
  readonly told?: number;
}
