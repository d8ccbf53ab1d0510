package io.middleware.engine.worker.docs;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What holds for the sources of all modules together. */
class HouseTest {
  private static final Path ROOT = Path.of("..");
  private static final int FILES_OF_A_PACKAGE = 40;

  /** Packages in which null may still be anywhere. It only gets smaller. */
  private static final int PACKAGES_WITH_ANY_NULL = 48;

  private final List<Path> sources;

  HouseTest() throws IOException {
    sources =
        SourceTree.files(ROOT, ".java").stream()
            .map(ROOT::relativize)
            .filter(file -> file.startsWith(file.getName(0).resolve("src")))
            .toList();
  }

  private static boolean isMain(Path file) {
    return file.getName(2).toString().equals("main");
  }

  private static String name(Path file) {
    return file.getFileName().toString().replace(".java", "");
  }

  @Test
  void shouldNameEveryTypeOnce() {
    // When
    var byName =
        sources.stream()
            .filter(HouseTest::isMain)
            .map(HouseTest::name)
            .filter(name -> !name.equals("package-info"))
            .collect(groupingBy(name -> name, counting()));
    // Then
    assertThat(byName).isNotEmpty();
    assertThat(byName).allSatisfy((name, count) -> assertThat(count).as(name).isEqualTo(1));
  }

  @Test
  void shouldSayWhereNullMayBe() throws IOException {
    // When
    var anyNull = 0;
    for (var file : sources) {
      if (isMain(file)
          && name(file).equals("package-info")
          && !Files.readString(ROOT.resolve(file)).contains("@NullMarked")) {
        anyNull++;
      }
    }
    // Then
    assertThat(anyNull).isEqualTo(PACKAGES_WITH_ANY_NULL);
  }

  @Test
  void shouldHaveRoomInEveryPackage() {
    // When
    var files = sources.stream().collect(groupingBy(Path::getParent, counting()));
    // Then
    assertThat(files)
        .allSatisfy(
            (folder, count) ->
                assertThat(count).as("%s", folder).isLessThanOrEqualTo(FILES_OF_A_PACKAGE));
  }

  @Test
  void shouldKeepNamesOfTestsForTests() {
    // When
    var named =
        sources.stream()
            .filter(HouseTest::isMain)
            .filter(file -> name(file).matches("Test[A-Z].*"))
            .filter(file -> !file.toString().contains("/testing/"))
            .toList();
    // Then
    assertThat(named).as("only IntegrationTests and LoadTests may be meant: %s", named).isEmpty();
  }
}
