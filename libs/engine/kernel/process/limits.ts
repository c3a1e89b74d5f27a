/** RLIMIT_NOFILE and RLIMIT_NPROC. */
export interface ProcessLimits {
  readonly files?: number;
  /** Of its user in its container; they do not hold root. */
  readonly processes?: number;
}
