/** meta.k8s.io/v1 Table, as far as it is read here. */
export interface Table {
  readonly metadata: {
    readonly resourceVersion?: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly columnDefinitions:
    | readonly {
        readonly name: string;
        readonly type: string;
        readonly format: string;
        readonly description: string;
        readonly priority: number;
      }[]
    | null;
  readonly rows: readonly TableRow[];
}

export interface TableRow {
  readonly cells: readonly unknown[];
  /** A PartialObjectMetadata. */
  readonly object: {
    readonly metadata?: {
      readonly name?: string;
      readonly namespace?: string;
      readonly uid?: string;
      readonly resourceVersion?: string;
      readonly creationTimestamp?: string;
      readonly deletionTimestamp?: string;
      readonly labels?: Readonly<Record<string, string>>;
    };
  };
}

export const TABLE_TYPE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
