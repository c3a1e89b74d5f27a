/** Names this test run for its workers: what they share belongs to this process and ends with it. */
export default function setup() {
  process.env.TERRARIUM_TEST_RUN = String(process.pid);
}
