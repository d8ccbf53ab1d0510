package io.middleware.engine.simulator.host;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says why a pod cannot be reconciled: once, until it says something else. Used by one thread. */
final class RetryLog {
  private static final Logger LOG = LoggerFactory.getLogger(RetryLog.class);

  private final String pod;
  private String last = "";

  /**
   * @param pod namespace and name
   */
  RetryLog(String pod) {
    this.pod = pod;
  }

  void succeeded() {
    last = "";
  }

  void failed(Exception cause) {
    if (cause instanceof KubernetesClientException refusal
        && refusal.getCode() == HttpURLConnection.HTTP_CONFLICT) {
      return; // a newer version of the pod follows
    }
    var message = String.valueOf(cause.getMessage());
    if (!message.equals(last)) {
      last = message;
      LOG.atWarn().addKeyValue("pod", pod).setCause(cause).log("cannot reconcile; retrying");
    }
  }
}
