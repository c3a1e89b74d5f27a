/** A request of a user that was answered. */
export interface AskedRequest {
  readonly user: string;
  readonly groups: readonly string[];
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly path: string;
  /** The status of the answer. */
  readonly code: number;
  /** What exec was asked to run. */
  readonly command: readonly string[];
  /** Of the API server's clients: 'kubectl/v1.34.0'. */
  readonly agent: string;
}
