/** What a span is about: ids and counts, never a user's text. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * Spans of the host's work. A span is named to others by its W3C traceparent, which also travels with tasks to other
 * processes. There is no Tracer when traces are switched off.
 */
export interface Tracer {
  /** The traceparent of the span in which the caller runs. */
  current(): string | undefined;
  /**
   * Runs work as a span: child of the first of `parents` (by default of the current span), linked to the others. The
   * span ends with the promise; a rejection is its status.
   */
  run<T>(
    name: string,
    options: { readonly parents?: readonly (string | undefined)[]; readonly attributes?: SpanAttributes },
    work: () => Promise<T>,
  ): Promise<T>;
}

/** Runs work as a child of the current span; where there is none, just runs it. */
export const traceChild = <T>(
  tracer: Tracer | undefined,
  name: string,
  attributes: SpanAttributes,
  work: () => Promise<T>,
): Promise<T> => (tracer?.current() === undefined ? work() : tracer.run(name, { attributes }, work));
