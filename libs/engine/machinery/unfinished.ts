/**
 * Ends work that would hold the thread for too long, such as a look at a machine that has much to do since the last
 * one. What was done of it is kept where no state of the cluster sees it, and what the asker has changed is undone:
 * asked again at the same virtual time, or a later one, the work goes on from there, and comes to the same result.
 */
export class UnfinishedWork extends Error {
  constructor() {
    super('the work is to be continued');
  }
}
