/** A request of a user that was answered, or a line that a user typed into a terminal (verb 'type'). */
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
  /** The line; '' of requests. */
  readonly line: string;
  /** Of the API server's clients: 'kubectl/v1.34.0'. */
  readonly agent: string;
}
