/** A bounded map whose entries also grow old: for answers that may be a little stale. */
export class Recent<V> {
  private readonly entries = new Map<string, { value: V; until: number }>();

  constructor(
    private readonly limit: number,
    private readonly ttlMs: number,
  ) {}

  get(key: string): V | undefined {
    const found = this.entries.get(key);
    if (!found) return undefined;
    if (found.until >= Date.now()) return found.value;
    this.entries.delete(key);
    return undefined;
  }

  set(key: string, value: V): V {
    this.entries.delete(key);
    this.entries.set(key, { value, until: Date.now() + this.ttlMs });
    if (this.entries.size > this.limit) this.entries.delete(this.entries.keys().next().value!);
    return value;
  }

  delete(key: string): void {
    this.entries.delete(key);
  }
}
