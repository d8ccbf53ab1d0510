package io.middleware.engine.agent.account;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AppAccountsTest {
  @TempDir private Path folder;
  private final Map<String, String> server = new TreeMap<>(Map.of("default", "on nopass"));

  @BeforeEach
  void make() throws IOException {
    Files.createDirectories(folder.resolve("of-app"));
    Files.createDirectories(folder.resolve("memory"));
    write("reports", "s3cret");
    write("reports.privileges", "ReadOnly");
    write("reports.rules", "+@read");
    write(".complete", "yes");
    follow();
    assertThat(server).containsOnlyKeys("default", "reports");
  }

  @Test
  void shouldDeleteAnAccountThatIsTakenOut() throws IOException {
    delete("reports", "reports.privileges", "reports.rules");
    follow();
    assertThat(server).containsOnlyKeys("default");
  }

  @Test
  void shouldKeepAllAccountsWhileTheirSecretIsGone() throws IOException {
    // When
    delete("reports", "reports.privileges", "reports.rules", ".complete");
    follow();
    // Then
    assertThat(server).containsOnlyKeys("default", "reports");
    // and still knows that it is its own when the Secret comes back without it
    write(".complete", "yes");
    follow();
    assertThat(server).containsOnlyKeys("default");
  }

  @Test
  void shouldKeepAnAccountWhosePasswordAloneIsGone() throws IOException {
    delete("reports", "reports.privileges");
    follow();
    assertThat(server).containsOnlyKeys("default", "reports");
  }

  private void follow() {
    var accounts =
        new AppAccounts(
            Optional.of(folder.resolve("of-app")), Optional.of(folder.resolve("memory")));
    accounts.follow(
        Map.copyOf(server),
        new AppAccounts.Acl() {
          @Override
          public void setAccount(String name, String secret, String... rights) {
            server.put(name, "on " + secret);
          }

          @Override
          public void deleteAccount(String name) {
            server.remove(name);
          }
        });
  }

  private void write(String file, String text) throws IOException {
    Files.writeString(folder.resolve("of-app").resolve(file), text);
  }

  private void delete(String... files) throws IOException {
    for (var file : files) {
      Files.delete(folder.resolve("of-app").resolve(file));
    }
  }
}
