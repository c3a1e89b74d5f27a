/** The scalar `PictureRows` of the schema: docs/PICTURE.md. */
export type Rows = readonly Row[];

export interface Row {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly uid: string;
  readonly revision: number;
  readonly created: number;
  readonly owner?: { readonly kind: string; readonly name: string; readonly uid: string };
  readonly labels?: number;
  readonly ending?: boolean;
  readonly gone?: boolean;
  readonly by?: readonly string[];
  readonly cause?: number;
  readonly is: Facts;
}

export interface ContainerFacts {
  readonly name: string;
  readonly image?: string;
  readonly state?: string;
  readonly ready?: boolean;
  readonly restarts?: number;
}

/** What the kinds have, together: absent is false, 0, empty or unknown. */
export interface Facts {
  readonly status?: string;
  readonly phase?: string;
  readonly reason?: string;
  readonly ready?: number | readonly string[];
  readonly unready?: readonly string[];
  readonly total?: number;
  readonly want?: number;
  readonly restarts?: number;
  readonly node?: string;
  readonly scheduled?: string;
  readonly cpu?: number;
  readonly memory?: number;
  readonly pods?: number;
  readonly ip?: string;
  readonly claims?: readonly string[];
  readonly containers?: readonly ContainerFacts[];
  readonly pressure?: readonly string[];
  readonly cordoned?: boolean;
  readonly roles?: readonly string[];
  readonly taints?: readonly string[];
  readonly volumes?: readonly string[];
  readonly type?: string;
  readonly ports?: readonly string[];
  readonly selector?: unknown;
  readonly external?: string;
  readonly service?: string;
  readonly services?: readonly string[];
  readonly hosts?: readonly string[];
  readonly volume?: string;
  readonly claim?: string;
  readonly class?: string;
  readonly size?: string;
  readonly attached?: boolean;
  readonly error?: string;
  readonly enabled?: boolean;
  readonly targets?: readonly string[];
  readonly ends?: string;
  readonly message?: string;
  readonly [other: string]: unknown;
}
