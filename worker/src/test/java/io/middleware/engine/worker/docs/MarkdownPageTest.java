package io.middleware.engine.worker.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.worker.docs.MarkdownPage.Heading;
import io.middleware.engine.worker.docs.MarkdownPage.Link;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MarkdownPageTest {
  private static final String TEXT =
      """
      # A page

      First sentence, with `kubectl get pods` and a [link](other.md#there). A second
      one?

          dev/up    # starts it

      - An item of *four* words
      - Another; see [`Foo`](Foo.java) · and more

      | a table | is no prose. It is not. |

      ## What `x` is

      ```
      # only a comment
      $ kubectl get apps   # all of them
      ## no heading
      ```

      ## A page
      """;

  @TempDir Path folder;
  private MarkdownPage page;

  @BeforeEach
  void read() throws IOException {
    page = MarkdownPage.read(Files.writeString(folder.resolve("page.md"), TEXT));
  }

  @Test
  void shouldFindHeadingsAndTheirAnchors() {
    assertThat(page.headings())
        .containsExactly(
            new Heading(1, "A page"), new Heading(2, "What `x` is"), new Heading(2, "A page"));
    assertThat(page.anchors()).containsExactly("a-page", "what-x-is", "a-page-1");
  }

  @Test
  void shouldFindLinksCodeAndCommands() {
    assertThat(page.links())
        .containsExactly(new Link("link", "other.md#there"), new Link("`Foo`", "Foo.java"));
    assertThat(page.spans()).containsExactly("kubectl get pods", "Foo", "x");
    assertThat(page.commands()).containsExactly("kubectl get pods");
  }

  @Test
  void shouldKeepCodeWithoutComments() {
    assertThat(page.code()).containsExactly("    dev/up\n", "$ kubectl get apps\n## no heading\n");
  }

  @Test
  void shouldSplitProseIntoSentences() {
    assertThat(page.sentences())
        .containsExactly(
            "First sentence, with Code and a link.",
            "A second one?",
            "An item of four words",
            "Another; see Code",
            "and more");
    assertThat(MarkdownPage.words("An item – of *four* words")).isEqualTo(5);
  }
}
