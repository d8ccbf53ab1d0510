package io.middleware.engine.cluster.secrets;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;

/** A value of a Secret, which no log shows. */
public record SecretText(String text) {
  static SecretText decoded(String base64) {
    return new SecretText(new String(Base64.getDecoder().decode(base64), UTF_8));
  }

  /** Many write a line break at the end of a value by mistake. */
  public String withoutLineBreaks() {
    return text.replaceFirst("\\n+$", "");
  }

  @Override
  public String toString() {
    return "(not shown)";
  }
}
