package io.middleware.engine.e2e.bench;

import io.middleware.engine.e2e.Engine;
import java.io.IOException;

/**
 * What Temporal's server and the worker have counted so far, by their metrics.
 *
 * @param actions as Temporal Cloud bills them, heartbeats included: the server counts them itself
 * @param heartbeats that have reached the server
 * @param taskTimeouts workflow tasks that no worker has taken, or ended, in time
 * @param evicted runs that the worker's cache had no room for
 */
record Counters(double actions, double heartbeats, double taskTimeouts, double evicted) {

  static Counters now() throws IOException {
    var server = Engine.metrics(Engine.variable("TEMPORAL_METRICS_URL"));
    var worker = Engine.metrics(Engine.variable("WORKER_URL"));
    return new Counters(
        Machine.sum(server, "action{"),
        Machine.sum(server, "action{action_type=\"grpc_RecordActivityTaskHeartbeat\""),
        timeouts(server, "start_to_close_timeout{")
            + timeouts(server, "schedule_to_start_timeout{"),
        Machine.sum(worker, "temporal_sticky_cache_miss"));
  }

  private static double timeouts(String server, String series) {
    var ofTasks =
        server.lines().filter(line -> line.contains("TimerActiveTaskWorkflowTaskTimeout")).toList();
    return Machine.sum(String.join("\n", ofTasks), series);
  }

  Counters since(Counters before) {
    return new Counters(
        actions - before.actions,
        heartbeats - before.heartbeats,
        taskTimeouts - before.taskTimeouts,
        evicted - before.evicted);
  }
}
