/** Why a node does not admit a pod. */
export interface AdmitFailure {
  /** 'OutOfcpu', 'NodeAffinity'. */
  readonly reason: string;
  readonly message: string;
}
