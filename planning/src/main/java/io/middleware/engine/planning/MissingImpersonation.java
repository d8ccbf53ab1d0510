package io.middleware.engine.planning;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.planning.app.Refusal;
import java.net.HttpURLConnection;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The refusal of an App whose team has not allowed the engine to write as its service account. The
 * engine has no such right by itself: each team grants it in its namespace, for one account.
 */
public final class MissingImpersonation {
  /** The API server's message. */
  private static final Pattern FORBIDDEN =
      Pattern.compile(
          "\"(?<account>[^\"]+)\" is forbidden: User \"(?<user>[^\"]+)\" cannot impersonate resource"
              + " \"serviceaccounts\"");

  private static final String SERVICE_ACCOUNT = "system:serviceaccount:";

  private MissingImpersonation() {}

  /** Empty when the request failed for another reason. */
  public static Optional<Refusal> refusal(String namespace, KubernetesClientException e) {
    var forbidden = FORBIDDEN.matcher(Faults.message(e));
    if (e.getCode() != HttpURLConnection.HTTP_FORBIDDEN || !forbidden.find()) {
      return Optional.empty();
    }
    var account = forbidden.group("account");
    var role = "impersonate-" + account;
    return Optional.of(
        new Refusal(
            Reasons.WRITE_FORBIDDEN,
            ("the engine may not write as service account %1$s/%2$s. To allow it: `kubectl -n %1$s"
                    + " create role %3$s --verb=impersonate --resource=serviceaccounts"
                    + " --resource-name=%2$s` and `kubectl -n %1$s create rolebinding %3$s"
                    + " --role=%3$s %4$s`")
                .formatted(namespace, account, role, subject(forbidden.group("user")))));
  }

  private static String subject(String user) {
    return user.startsWith(SERVICE_ACCOUNT)
        ? "--serviceaccount=" + user.substring(SERVICE_ACCOUNT.length())
        : "--user=" + user;
  }
}
