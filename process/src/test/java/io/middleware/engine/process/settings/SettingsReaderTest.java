package io.middleware.engine.process.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.middleware.engine.process.EngineSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsReaderTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "namespaces: shop | namespaces is \"shop\", expected a list, each item a namespace name",
        "namespaces: [shop, Shop] | namespaces is [\"shop\", \"Shop\"], expected a list",
        "namespaces: [shop, 12] | namespaces is [\"shop\", 12], expected a list",
        "namespaces: | namespaces is empty, expected a list",
        "systemNamespace: -x | systemNamespace is \"-x\", expected a namespace name",
        "systemNamespace: '' | systemNamespace is \"\", expected a namespace name",
        "systemNamespace: 7 | systemNamespace is 7, expected a namespace name",
        "systemNamespace: {a: b} | systemNamespace is a section, expected a namespace name",
        "defaultServiceAccount: A | defaultServiceAccount is \"A\", expected a Kubernetes object",
        "manualRetry: yes | manualRetry is \"yes\", expected true or false",
        "manualCancel: 1 | manualCancel is 1, expected true or false",
        "stopTimeout: 0s | stopTimeout is \"0s\", expected a duration from 1s to 10m",
        "stopTimeout: 20 | stopTimeout is 20, expected a duration from 1s to 10m",
        "stopTimeout: 20 seconds | stopTimeout is \"20 seconds\", expected a duration",
        "stopTimeout: -5s | stopTimeout is \"-5s\", expected a duration",
        "temporal: {address: temporal} | temporal.address is \"temporal\", expected host:port",
        "temporal: {namespace: 5} | temporal.namespace is 5, expected a text",
        "temporal: {profile: true} | temporal.profile is true, expected a text",
        "kubernetes: {apiTimeout: 1ms} | kubernetes.apiTimeout is \"1ms\", expected a duration",
        "kubernetes: {apiCalls: 0} | kubernetes.apiCalls is 0, expected a whole number from 1",
        "tasks: {maxRetries: 0} | tasks.maxRetries is 0, expected a whole number from 1 to 100",
        "tasks: {maxRetries: 3.5} | tasks.maxRetries is 3.5, expected a whole number",
        "tasks: {maxRetries: '3'} | tasks.maxRetries is \"3\", expected a whole number",
        "tasks: {maxRetries: [3]} | tasks.maxRetries is [3], expected a whole number",
        "tasks: {retryBackoff: 2h} | tasks.retryBackoff is \"2h\", expected a duration",
        "tasks: {timeout: 25h} | tasks.timeout is \"25h\", expected a duration from 1s to 24h",
        "rolling: {batchSize: 1001} | rolling.batchSize is 1001, expected a whole number",
        "rolling: {interval: never} | rolling.interval is \"never\", expected a duration",
        "agent: {timeout: 6m} | agent.timeout is \"6m\", expected a duration from 10ms to 5m",
        "agent: {attempts: 21} | agent.attempts is 21, expected a whole number from 1 to 20",
        "agent: {maxReplyBytes: 99999999999} | agent.maxReplyBytes is 99999999999, expected",
        "checks: {hosts: ['http://a']} | checks.hosts is [\"http://a\"], expected a list, each item host",
        "checks: {prometheusUrl: 'prometheus:9090'} | checks.prometheusUrl is \"prometheus:9090\", expected an http",
        "checks: {prometheusUrl: 'http://a/?q=1'} | checks.prometheusUrl is \"http://a/?q=1\", expected an http",
        "watcher: {httpAddress: ':80'} | watcher.httpAddress is \":80\", expected host:port",
        "watcher: {httpAddress: 'a:65536'} | watcher.httpAddress is \"a:65536\", expected host",
        "watcher: {httpAddress: 8080} | watcher.httpAddress is 8080, expected host:port",
        "watcher: {resync: 0s} | watcher.resync is \"0s\", expected a duration from 1s",
        "watcher: {leaderElection: 'true'} | watcher.leaderElection is \"true\", expected true",
        "watcher: {leaseDuration: 5s} | watcher.leaseDuration is \"5s\", expected a duration",
        "worker: {httpAddress: 'http://x:1'} | worker.httpAddress is \"http://x:1\", expected",
        "worker: {workflowTasks: 0} | worker.workflowTasks is 0, expected a whole number from 2",
        "worker: {workflowTasks: many} | worker.workflowTasks is \"many\", expected a whole number",
        "worker: {activities: 0} | worker.activities is 0, expected a whole number",
        "worker: {waits: 100001} | worker.waits is 100001, expected a whole number",
        "worker: {pollers: 1} | worker.pollers is 1, expected a whole number from 2 to 100",
        "worker: {workflowCache: -1} | worker.workflowCache is -1, expected a whole number",
        "worker: {pluginCache: 10m5} | worker.pluginCache is \"10m5\", expected a duration",
        "log: {level: info} | log.level is \"info\", expected one of ERROR, WARN, INFO, DEBUG",
        "log: {libraries: ALL} | log.libraries is \"ALL\", expected one of ERROR, WARN",
        "retries: 3 | unknown key retries, expected one of: namespaces, cluster, systemNamespace, default",
        "tasks: {retries: 3} | unknown key tasks.retries, expected one of: maxRetries, retryBackoff",
        "tasks: 3 | tasks must be a section with the keys maxRetries, retryBackoff, timeout",
        "[tasks] | the file must be a section with the keys namespaces, cluster, systemNamespace",
        "? {a: b} | unknown key ?, expected one of: namespaces",
        "tasks: {timeout: 1s, timeout: 2s} | tasks.timeout is set twice",
        "tasks: { | not valid YAML: ",
      })
  void shouldNameLineKeyValueAndWhatIsAllowed(String yaml, String problem) throws IOException {
    // Given
    Path file = file("# the settings\n\n" + yaml);
    // When
    var refusal = refusal(List.of(), Map.of("ENGINE_CONFIG", file.toString()));
    // Then
    assertThat(refusal.problems()).hasSize(1);
    assertThat(refusal.problems().getFirst()).startsWith(file + ":3: " + problem);
  }

  @Test
  void shouldReportAllProblemsAtOnceEachWithItsPlace() throws IOException {
    // Given
    Path file =
        file(
            """
            tasks:
              maxRetries: 0
              retries: 3
            tasks: {}
            worker:
              workflowTasks: few
            """);
    var environment = Map.of("ENGINE_WORKER_WORKFLOW_TASKS", "5", "ENGINE_ROLLING_BATCH_SIZE", "0");
    // When
    var refusal = refusal(List.of("--config=" + file, "--agent-timeout", "soon"), environment);
    // Then
    assertThat(refusal.problems())
        .containsExactlyInAnyOrder(
            file + ":2: tasks.maxRetries is 0, expected a whole number from 1 to 100",
            file
                + ":3: unknown key tasks.retries, expected one of: maxRetries, retryBackoff, timeout",
            file + ":4: tasks is set twice",
            file + ":6: worker.workflowTasks is \"few\", expected a whole number from 2 to 10000",
            "ENGINE_ROLLING_BATCH_SIZE: rolling.batchSize is \"0\", expected a whole number from"
                + " 1 to 1000",
            "--agent-timeout: agent.timeout is \"soon\", expected a duration from 10ms to 5m"
                + " (such as 30s, 5m, 1h30m, 500ms)");
    assertThat(refusal).hasMessageContainingAll(refusal.problems().toArray(CharSequence[]::new));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ENGINE_TASKS_RETRIES | ENGINE_TASKS_RETRIES: unknown setting",
        "ENGINE_TASKS_MAXRETRIES | ENGINE_TASKS_MAXRETRIES: unknown setting, did you mean"
            + " ENGINE_TASKS_MAX_RETRIES?",
        "ENGINE_CONFIG | no/such.yaml: file not found",
      })
  void shouldRefuseWhatTheEnvironmentNamesInVain(String variable, String problem) {
    // When
    var refusal = refusal(List.of(), Map.of(variable, "no/such.yaml"));
    // Then
    assertThat(refusal.problems()).containsExactly(problem);
  }

  @ParameterizedTest
  @CsvSource({
    "--config,--config: needs a value",
    "--help=1,--help: unknown setting",
    "engine.yaml=x,engine.yaml: unknown setting",
  })
  void shouldRefuseAnOptionItDoesNotKnow(String option, String problem) {
    // When
    var refusal = refusal(List.of(option), Map.of());
    // Then
    assertThat(refusal.problems()).containsExactly(problem);
  }

  @Test
  void shouldLetTheEnvironmentOverrideTheFileAndTheCommandLineBoth() throws IOException {
    // Given
    Path file = file("tasks: {maxRetries: 5, timeout: 5m, retryBackoff: 5s}\nnamespaces: [a]\n");
    var environment =
        Map.of(
            "ENGINE_CONFIG", file.toString(),
            "ENGINE_TASKS_TIMEOUT", "6m",
            "ENGINE_TASKS_RETRY_BACKOFF", " 6s ",
            "ENGINE_NAMESPACES", "b, c",
            "ENGINE_MANUAL_RETRY", "false",
            "ENGINE_WATCHER_HTTP_ADDRESS", "127.0.0.1:9090",
            "PATH", "/bin");
    var arguments = List.of("--tasks-retry-backoff", "7s", "--default-service-account=writer");
    // When
    var settings = EngineSettings.read(new ProcessArguments(arguments, environment));
    // Then
    assertThat(settings.tasks())
        .isEqualTo(
            new EngineSettings.TaskDefaults(5, Duration.ofSeconds(7), Duration.ofMinutes(6)));
    assertThat(settings.namespaces()).containsExactly("b", "c");
    assertThat(settings.manualRetry()).isFalse();
    assertThat(settings.watcher().httpAddress()).isEqualTo(new ListenAddress("127.0.0.1", 9090));
    assertThat(settings.defaultServiceAccount()).isEqualTo("writer");
  }

  @ParameterizedTest
  @CsvSource({"''", "'# nothing yet'", "'tasks:'", "'--- {}'"})
  void shouldTakeTheDefaultsOfAnEmptyFile(String yaml) throws IOException {
    // Given
    var empty = Map.of("ENGINE_CONFIG", file(yaml).toString());
    // When
    var settings = EngineSettings.read(new ProcessArguments(List.of(), empty));
    // Then
    assertThat(settings).isEqualTo(EngineSettings.read(new ProcessArguments(List.of(), Map.of())));
  }

  private Path file(String yaml) throws IOException {
    return Files.writeString(folder.resolve("engine.yaml"), yaml);
  }

  private static SettingsException refusal(
      List<String> arguments, Map<String, String> environment) {
    return catchThrowableOfType(
        SettingsException.class,
        () -> EngineSettings.read(new ProcessArguments(arguments, environment)));
  }
}
