package io.middleware.engine.workflows.temporal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MarkdownTest {

  @Test
  void shouldShowMarkupAsItIs() {
    assertThat(Markdown.escape("**no** <b>`x`</b> | [a](https://b.example/) ~~c~~ d\\|"))
        .isEqualTo(
            "\\*\\*no\\*\\* \\<b\\>\\`x\\`\\</b\\> \\| \\[a\\](https:\\/\\/b.example/)"
                + " \\~\\~c\\~\\~ d\\\\\\|");
  }

  @Test
  void shouldLeaveOrdinaryTextAlone() {
    assertThat(Markdown.escape("pod cache-0: not ready: 2.5 MiB behind (40 %)"))
        .isEqualTo("pod cache-0: not ready: 2.5 MiB behind (40 %)");
  }
}
