package io.middleware.engine.process;

import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.NamedAuthInfo;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.fabric8.kubernetes.client.vertx.VertxHttpClientFactory;
import io.middleware.engine.process.settings.SettingsException;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Opens clients of the API server that KUBECONFIG names, otherwise of the cluster that the process
 * runs in. Opening a client makes no call, so the server may be down.
 */
public final class KubernetesClients {
  private static final Duration CONNECT = Duration.ofSeconds(2);
  private static final Duration LONGEST_ELECTION_CALL = Duration.ofSeconds(4);

  private final String process;
  private final EngineSettings settings;
  private final KubernetesSerialization serialization;

  /**
   * @param process shown to the API server: {@code middleware-engine/<process>}
   */
  public KubernetesClients(
      String process, EngineSettings settings, KubernetesSerialization serialization) {
    this.process = process;
    this.settings = settings;
    this.serialization = serialization;
  }

  /** For the engine's work: one quick retry of a call, then the caller decides. */
  public KubernetesClient open() {
    var longest = settings.kubernetes().apiTimeout();
    return open(
        new LimitedCalls(settings.kubernetes().apiCalls()),
        http -> {
          http.addOrReplaceInterceptor(LimitedAnswers.NAME, new LimitedAnswers(longest));
          ApiWarnings.keptBy(http);
        });
  }

  /**
   * For informers: a watch may be a call that lasts for minutes, and must not use up the others.
   */
  public KubernetesClient openForWatches() {
    return open(new VertxHttpClientFactory(), http -> {});
  }

  private KubernetesClient open(
      VertxHttpClientFactory connections, Consumer<HttpClient.Builder> others) {
    return builder(config(settings.kubernetes().apiTimeout(), 1))
        .withHttpClientFactory(connections)
        .withHttpClientBuilderConsumer(
            http ->
                others.accept(
                    http.addOrReplaceInterceptor(UninterruptedCalls.NAME, new UninterruptedCalls())
                        .addOrReplaceInterceptor(SingleParse.NAME, new SingleParse())))
        .build();
  }

  /** For the lease: calls so short that a lost server is noticed before the lease expires. */
  public KubernetesClient openForElection() {
    Duration quarter = settings.watcher().leaseDuration().dividedBy(4);
    return builder(config(shorter(quarter, LONGEST_ELECTION_CALL), 0)).build();
  }

  /** The readiness check {@code kubernetes}: informers report nothing when the server is down. */
  public static HealthCheck check(KubernetesClient client) {
    return HealthCheck.of("kubernetes", () -> problem(client));
  }

  /** Tells this cluster from any other, whatever their names. */
  public static String clusterUid(KubernetesClient client) {
    var system = client.resources(Namespace.class).withName("kube-system").get();
    if (system == null) {
      throw new KubernetesClientException("the cluster has no namespace kube-system");
    }
    return system.getMetadata().getUid();
  }

  private static Optional<String> problem(KubernetesClient client) {
    try {
      client.getKubernetesVersion();
      return Optional.empty();
    } catch (KubernetesClientException e) {
      return Optional.of(client.getMasterUrl() + ": " + e.getMessage());
    }
  }

  private KubernetesClientBuilder builder(Config config) {
    return new KubernetesClientBuilder()
        .withConfig(config)
        .withKubernetesSerialization(serialization);
  }

  Config config(Duration call, int retries) {
    Config config = autoConfigured();
    config.setUserAgent("middleware-engine/" + process);
    config.setRequestTimeout((int) call.toMillis());
    config.setConnectionTimeout((int) shorter(call, CONNECT).toMillis());
    config.setRequestRetryBackoffLimit(retries);
    tokenFile(config).ifPresent(file -> config.setOauthTokenProvider(() -> token(file)));
    return config;
  }

  private static Config autoConfigured() {
    try {
      return Config.autoConfigure(null);
    } catch (KubernetesClientException e) {
      throw new SettingsException("KUBECONFIG: " + e.getMessage());
    }
  }

  /** The library ignores a kubeconfig's tokenFile and would call as system:anonymous. */
  private static Optional<Path> tokenFile(Config config) {
    File kubeconfig = config.getFileWithAuthInfo();
    if (kubeconfig == null || config.getCurrentContext() == null) {
      return Optional.empty();
    }
    String user = config.getCurrentContext().getContext().getUser();
    return users(kubeconfig).getUsers().stream()
        .filter(named -> named.getName().equals(user))
        .map(NamedAuthInfo::getUser)
        .map(AuthInfo::getTokenFile)
        .filter(file -> file != null && !file.isEmpty())
        .map(file -> kubeconfig.toPath().resolveSibling(file))
        .findFirst();
  }

  private static io.fabric8.kubernetes.api.model.Config users(File kubeconfig) {
    try (var content = Files.newInputStream(kubeconfig.toPath())) {
      return Serialization.unmarshal(content, io.fabric8.kubernetes.api.model.Config.class);
    } catch (IOException e) {
      throw new UncheckedIOException(kubeconfig + " cannot be read", e);
    }
  }

  /** Read for every call, so that a renewed token is used at once. */
  private static String token(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new UncheckedIOException("token file " + file + " cannot be read", e);
    }
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
