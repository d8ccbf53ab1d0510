package io.middleware.engine.activities.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.middleware.engine.api.backup.Backup;
import io.middleware.engine.api.backup.BackupCopy;
import io.middleware.engine.api.backup.BackupCopyBuilder;
import io.middleware.engine.api.backup.BackupSpec;
import io.middleware.engine.api.schema.HostileTexts;
import io.middleware.engine.workflows.port.BackupRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class CopyKeysTest {

  @ParameterizedTest
  @CsvSource({"'', ''", "west, west/"})
  void shouldNameTheKeyAfterTheGroup(String cluster, String begin) {
    var ref = new BackupRef(cluster, "shop", "cache", "now", "id", "run", false);

    assertThat(CopyKeys.key(BackupScene.copyOf(ref), backup(), 2))
        .isEqualTo(begin + "shop/cache/now-01234567/db/g.2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"shop/cache/now-01234567/db/g.1", "west/shop/cache/now-01234567/db/g.12"})
  void shouldKnowItsOwnKeys(String key) {
    assertThat(CopyKeys.isOf(backup(), copy(key, 1))).isTrue();
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {
        "",
        "bank/cache/now-01234567/db/g.1",
        "shop/other/now-01234567/db/g.1",
        "shop/cache/now-76543210/db/g.1",
        "shop/cache/now-01234567/db/other.1",
        "shop/cache/now-01234567/db/g",
        "shop/cache/now-01234567/db/g.1/../../../../../bank/x.1",
        "bank/vault/b-1/shop/cache/now-01234567/db/g.1",
        "shopXcache/now-01234567/db/g.1"
      })
  void shouldRefuseEveryOtherKey(String key) {
    assertThat(CopyKeys.isOf(backup(), copy(key, 1))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"db/../../../bank/vault/b-1/db/g", "../g", "db", "db/g/h", "db/g\n", "/"})
  void shouldRefuseAKeyWhoseGroupIsAPath(String id) {
    var key = "shop/cache/now-01234567/" + id + ".1";
    var copy =
        BackupCopyBuilder.builder().id(id).pod("db-1").podUid("uid").attempts(1).key(key).build();
    assertThat(CopyKeys.isOf(backup(), copy)).isFalse();
  }

  @Test
  void shouldRefuseAChecksumThatIsMoreThanOneWord() {
    var key = "shop/cache/now-01234567/db/g.1";
    assertThat(HostileTexts.of("sha256:0123abcd", 100))
        .allSatisfy(
            text -> {
              var copy =
                  BackupCopyBuilder.builder()
                      .id("db/g")
                      .pod("db-1")
                      .podUid("uid")
                      .attempts(1)
                      .key(key)
                      .checksum(text)
                      .build();
              assertThat(CopyKeys.isOf(backup(), copy))
                  .as(text)
                  .isEqualTo(text.matches("[\\w+/=:.-]+") && text.chars().allMatch(it -> it < 128));
            });
  }

  @Test
  void shouldRefuseEveryVariationOfItsOwnKey() {
    var key = "shop/cache/now-01234567/db/g.1";
    assertThat(HostileTexts.of(key, 200)).noneMatch(text -> CopyKeys.isOf(backup(), copy(text, 1)));
  }

  @Test
  void shouldKnowTheKeysOfEarlierAttempts() {
    assertThat(CopyKeys.all(copy("a/g.3", 3))).containsExactly("a/g.1", "a/g.2", "a/g.3");
    assertThat(CopyKeys.all(copy("other", 3))).containsExactly("other");
    assertThat(CopyKeys.all(copy(null, null))).isEmpty();
  }

  @Test
  void shouldHaveOneIdForEachAttempt() {
    var id = CopyKeys.operation("verify-backup", backup(), copy("a/g.1", 1));

    assertThat(id).startsWith("verify-backup-").hasSizeLessThanOrEqualTo(128);
    assertThat(CopyKeys.operation("verify-backup", backup(), copy("a/g.1", 1))).isEqualTo(id);
    assertThat(CopyKeys.operation("verify-backup", backup(), copy("a/g.2", 2))).isNotEqualTo(id);
  }

  @ParameterizedTest
  @CsvSource({"0,0 B", "1023,1023 B", "1024,1.0 KiB", "1288490189,1.2 GiB"})
  void shouldShowSizes(long bytes, String shown) {
    assertThat(BackupStatuses.size(bytes)).isEqualTo(shown);
  }

  private static Backup backup() {
    var backup = new Backup();
    backup.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace("shop")
            .withName("now")
            .withUid("0123456789abcdef")
            .build());
    backup.setSpec(new BackupSpec("cache", null, null));
    return backup;
  }

  private static BackupCopy copy(String key, Integer attempts) {
    return BackupCopyBuilder.builder()
        .id("db/g")
        .pod("db-1")
        .podUid("uid")
        .attempts(attempts)
        .key(key)
        .build();
  }
}
