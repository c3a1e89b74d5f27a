/** A pause that whoever leaves cuts short. */
export class Pause {
  private timer: NodeJS.Timeout | undefined;
  private wake: () => void = () => undefined;
  private isOver = false;

  wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
      this.timer = setTimeout(resolve, this.isOver ? 0 : ms);
    });
  }

  end(): void {
    this.isOver = true;
    clearTimeout(this.timer);
    this.wake();
  }
}
