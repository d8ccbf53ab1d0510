package io.middleware.engine.process.servers;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.backup.Backup;
import io.middleware.engine.api.backup.BackupStore;
import io.middleware.engine.api.json.LenientObjects;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.plugin.Plugin;
import io.middleware.engine.api.testing.IntegrationTest;
import io.middleware.engine.api.testing.LoadTest;
import io.middleware.engine.process.ApiWarnings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One etcd and one kube-apiserver on 127.0.0.1 with the engine's CRDs and RBAC, and no controllers:
 * whatever the cluster would do by itself, a test does.
 */
public final class LocalApiServer implements AutoCloseable {
  private static final Path CRDS = Path.of("..", "k8s", "chart", "files", "crds");
  private static final String TOKEN = "test-only";

  private final Path folder;
  private final ServerProcess etcd;
  private final ServerProcess server;
  private final KubernetesClient client;

  LocalApiServer() throws IOException, InterruptedException, GeneralSecurityException {
    folder = Files.createTempDirectory("apiserver");
    var etcdPort = ServerProcess.freePort();
    var port = ServerProcess.freePort();
    etcd = ServerProcess.start(folder, etcd(etcdPort, ServerProcess.freePort()));
    Files.writeString(folder.resolve("tokens.csv"), TOKEN + ",admin,admin,system:masters\n");
    Files.writeString(folder.resolve("accounts.key"), newKey());
    etcd.await(() -> isListening(etcdPort));
    server = ServerProcess.start(folder, apiServer(etcdPort, port));
    client =
        new KubernetesClientBuilder()
            .withConfig(config(port))
            .withKubernetesSerialization(new LenientObjects().serialization())
            .withHttpClientBuilderConsumer(ApiWarnings::keptBy)
            .build();
    server.await(this::isReady);
    applyCrds();
    server.await(this::servesOurKinds);
  }

  /** With all rights. */
  public KubernetesClient client() {
    return client;
  }

  private static List<String> etcd(int port, int peerPort) {
    var client = "http://127.0.0.1:" + port;
    var peer = "http://127.0.0.1:" + peerPort;
    return List.of(
        ServerBinary.ETCD.path(),
        "--name=test",
        "--data-dir=etcd-data",
        "--unsafe-no-fsync",
        "--listen-client-urls=" + client,
        "--advertise-client-urls=" + client,
        "--listen-peer-urls=" + peer,
        "--initial-advertise-peer-urls=" + peer,
        "--initial-cluster=test=" + peer);
  }

  /** Without --tls-cert-file it signs its certificate itself. */
  private static List<String> apiServer(int etcdPort, int port) {
    return List.of(
        ServerBinary.API_SERVER.path(),
        "--etcd-servers=http://127.0.0.1:" + etcdPort,
        "--bind-address=127.0.0.1",
        "--advertise-address=127.0.0.1",
        "--secure-port=" + port,
        "--cert-dir=certificates",
        "--endpoint-reconciler-type=none",
        "--service-cluster-ip-range=10.96.0.0/16",
        "--authorization-mode=RBAC",
        "--token-auth-file=tokens.csv",
        "--service-account-issuer=https://kubernetes.default.svc",
        "--service-account-key-file=accounts.key",
        "--service-account-signing-key-file=accounts.key",
        // nobody makes the accounts that pods would need
        "--disable-admission-plugins=ServiceAccount");
  }

  private static Config config(int port) {
    return new ConfigBuilder(Config.empty())
        .withMasterUrl("https://127.0.0.1:" + port)
        .withOauthToken(TOKEN)
        .withTrustCerts(true)
        .withRequestRetryBackoffLimit(0)
        .build();
  }

  private void applyCrds() throws IOException {
    try (var files = Files.newDirectoryStream(CRDS, "*.middleware.io.yaml")) {
      for (var file : files) {
        try (var yaml = Files.newInputStream(file)) {
          client
              .load(yaml)
              .resources()
              .forEach(
                  crd -> {
                    crd.create();
                    crd.waitUntilCondition(LocalApiServer::isEstablished, 30, TimeUnit.SECONDS);
                  });
        }
      }
    }
  }

  private static boolean isEstablished(Object crd) {
    return crd != null && crd.toString().contains("type=Established");
  }

  private boolean isReady() {
    try {
      return "ok".equals(client.raw("/readyz"));
    } catch (KubernetesClientException e) {
      return false;
    }
  }

  /** As informers list them; for a moment after a CRD the answer is to try again later. */
  private boolean servesOurKinds() {
    try {
      for (var kind :
          List.of(
              App.class,
              Backup.class,
              BackupStore.class,
              Component.class,
              Group.class,
              IntegrationTest.class,
              LoadTest.class,
              Operation.class,
              Plugin.class)) {
        client
            .resources(kind)
            .inAnyNamespace()
            .list(new ListOptionsBuilder().withResourceVersion("0").build());
      }
      return true;
    } catch (KubernetesClientException e) {
      return false;
    }
  }

  private static boolean isListening(int port) {
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static String newKey() throws GeneralSecurityException {
    var generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    var key = generator.generateKeyPair().getPrivate().getEncoded();
    return "-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----\n"
        .formatted(Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(key));
  }

  @Override
  public void close() throws IOException, InterruptedException {
    client.close();
    server.close();
    etcd.close();
    ServerProcess.delete(folder);
  }
}
