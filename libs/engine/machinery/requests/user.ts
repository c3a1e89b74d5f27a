/** Who makes a request, as authentication has found out. Models user.Info of apiserver/pkg/authentication/user. */
export interface User {
  readonly name: string;
  readonly groups: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}
