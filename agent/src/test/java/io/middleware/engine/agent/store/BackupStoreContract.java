package io.middleware.engine.agent.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every store does. */
abstract class BackupStoreContract {
  abstract BackupStorage store();

  @ParameterizedTest
  @ValueSource(ints = {0, 1, S3Upload.PART_BYTES, 3 * S3Upload.PART_BYTES + 1})
  void shouldReadWhatWasWritten(int size) {
    var written = new Measure(bytes -> {});

    store().write("shop/cache.rdb", written.of(Noise.of(size)));

    assertThat(store().size("shop/cache.rdb")).isEqualTo(OptionalLong.of(size));
    var copy = new StoredCopy(store(), "shop/cache.rdb", written.checksum());
    assertThat(copy.verify((text, percent) -> {})).isEqualTo(size).isEqualTo(written.size());
  }

  @Test
  void shouldReplaceListAndDelete() {
    store().write("shop/b.rdb", new ByteArrayInputStream(new byte[] {1}));
    store().write("shop/a.rdb", new ByteArrayInputStream(new byte[] {2}));
    store().write("shop/a.rdb", new ByteArrayInputStream(new byte[] {3}));
    store().write("other/a.rdb", new ByteArrayInputStream(new byte[] {4}));

    var read = new ByteArrayOutputStream();
    store().read("shop/a.rdb", read);

    assertThat(read.toByteArray()).containsExactly(3);
    assertThat(store().list("shop/")).containsExactly("shop/a.rdb", "shop/b.rdb");
    store().delete("shop/a.rdb");
    store().delete("shop/a.rdb");
    assertThat(store().size("shop/a.rdb")).isEmpty();
    assertThat(store().list("")).containsExactly("other/a.rdb", "shop/b.rdb");
  }

  @Test
  void shouldWriteNothingToSayThatItIsWritable() {
    store().requireWritable("shop/a.rdb");

    assertThat(store().list("")).isEmpty();
  }

  @Test
  void shouldKeepTheOldContentWhenTheSourceFails() {
    store().write("a.rdb", new ByteArrayInputStream(new byte[] {1}));
    var source =
        Noise.interruptedBy(
            () -> {
              throw new IllegalStateException("the source ends");
            },
            5L * S3Upload.PART_BYTES,
            4L * S3Upload.PART_BYTES);

    assertThatThrownBy(() -> store().write("a.rdb", source)).hasMessage("the source ends");

    assertThat(store().size("a.rdb")).isEqualTo(OptionalLong.of(1));
    assertThat(store().list("")).containsExactly("a.rdb");
  }

  @Test
  void shouldSayThatACopyIsMissing() {
    assertThatThrownBy(
            () -> new StoredCopy(store(), "a.rdb", "sha256:00").verify((text, percent) -> {}))
        .hasMessage(
            "FAILED_PRECONDITION: the backup %s is missing: it was deleted, or never written"
                .formatted(store().location("a.rdb")));
  }

  @Test
  void shouldSayThatACopyIsCorrupt() {
    store().write("a.rdb", new ByteArrayInputStream(new byte[] {1}));

    assertThatThrownBy(
            () -> new StoredCopy(store(), "a.rdb", "sha256:00").verify((text, percent) -> {}))
        .hasMessage(
            "FAILED_PRECONDITION: the backup %s is corrupt: its checksum is %s, not sha256:00. Use another backup"
                .formatted(
                    store().location("a.rdb"),
                    "sha256:4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "../a", "a/../b", "/a", "a//b", "a/", ".a", "a b"})
  void shouldRefuseKeysThatLeaveTheStore(String key) {
    assertThatThrownBy(() -> store().delete(key))
        .hasMessageStartingWith("INVALID_ARGUMENT: '%s' is not a key of a backup".formatted(key));
  }
}
