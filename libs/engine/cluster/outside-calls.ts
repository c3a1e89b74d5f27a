import {
  ComponentNeeded,
  OutsideCallsNeeded,
  type CallOutside,
  type OutsideRecord,
  type WaitForComponent,
} from '../machinery/requests/http.js';
import { HistoryNeeded, historyKey, type AskHistory } from '../machinery/past-change.js';

/** What one request waits for: webhooks outside the cluster, and components inside, by what its host has brought. */
export class OutsideCalls {
  private record: OutsideRecord | undefined;

  /** Throws OutsideCallsNeeded for a call without an answer. Undefined for components, which do not wait. */
  readonly ask: CallOutside = (call) => {
    if (!this.record?.answers) return undefined;
    const answer = this.record.answers.get(call.key);
    if (!answer) throw new OutsideCallsNeeded([call]);
    return answer;
  };

  readonly waitForComponent: WaitForComponent = (ms) => {
    if (this.record && this.record.waitedMs < ms) throw new ComponentNeeded(ms);
  };

  /** Throws HistoryNeeded for a part of the log that the host has not read yet. */
  readonly askHistory: AskHistory = (query) => {
    if (!this.record?.history) return undefined;
    const answer = this.record.history.get(historyKey(query));
    if (!answer) throw new HistoryNeeded(query);
    return answer;
  };

  /** Runs a request with the answers to its calls; programs of the cluster may send requests of their own within. */
  run<T>(record: OutsideRecord, request: () => T): T {
    const { record: outer } = this;
    this.record = record;
    try {
      return request();
    } finally {
      this.record = outer;
    }
  }
}
