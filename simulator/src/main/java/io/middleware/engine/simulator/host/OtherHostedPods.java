package io.middleware.engine.simulator.host;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;

/** What a hosted pod may know of the others in its namespace. */
interface OtherHostedPods {
  /** All pods that were observed last. */
  List<Pod> pods(String namespace);

  /** The addresses of the hosted pods of the StatefulSet with this name. */
  List<String> addresses(String namespace, String set);

  /** The roles of those whose agent knows one, by the name of the pod. */
  Map<String, String> roles(String namespace, List<String> pods);
}
