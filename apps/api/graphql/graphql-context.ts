/** What every operation knows of its request. */
export interface GraphQLContext {
  /** The Authorization header, or what a WebSocket's connectionParams give in its place. */
  readonly authorization?: string;
}
