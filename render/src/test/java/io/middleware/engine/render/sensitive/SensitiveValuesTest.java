package io.middleware.engine.render.sensitive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Base64;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SensitiveValuesTest {
  private static final String APP = "uid-1";

  private final SensitiveParameters sensitive = new SensitiveParameters(Set.of("licence", "pin"));
  private final SensitiveValues secrets = new SensitiveValues();

  @Test
  void shouldHideAValueInEachOfItsForms() {
    // Given
    remember("licence", "two \"quoted\" words");
    var encoded = Base64.getEncoder().encodeToString("two \"quoted\" words".getBytes(UTF_8));
    // When Then
    assertThat(secrets.hide(APP, "a two \"quoted\" words b")).isEqualTo("a (not shown) b");
    assertThat(secrets.hide(APP, "a two \\\"quoted\\\" words b")).isEqualTo("a (not shown) b");
    assertThat(secrets.hide(APP, "a " + encoded + " b")).isEqualTo("a (not shown) b");
  }

  @Test
  void shouldHideWhatACutHasLeftOfAValue() {
    // Given
    remember("licence", "open-sesame");
    // When Then
    assertThat(secrets.hide(APP, "must match, was open-ses… in size"))
        .isEqualTo("must match, was (not shown)… in size");
  }

  @Test
  void shouldHideTheLongerValueFirst() {
    // Given
    remember("licence", "open-sesame");
    remember("admin-password", "open-sesame-twice");
    // When Then
    assertThat(secrets.hide(APP, "open-sesame-twice")).isEqualTo("(not shown)");
  }

  @Test
  void shouldNotTouchMessagesAboutOtherApps() {
    // Given
    remember("licence", "redis-nodes");
    // When Then
    assertThat(secrets.hide("uid-2", "pods of redis-nodes")).isEqualTo("pods of redis-nodes");
  }

  @Test
  void shouldNotHideOrdinaryWordsAndNumbers() {
    // Given
    remember("licence", "redis");
    remember("max-keys", 1000000);
    remember("colour", "colourless");
    // When Then
    var message = "redis has 1000000 keys and is colourless";
    assertThat(secrets.hide(APP, message)).isEqualTo(message);
  }

  @Test
  void shouldHideANumberThatIsDeclaredSensitive() {
    // Given
    remember("pin", 918273);
    // When Then
    assertThat(secrets.hide(APP, "not 918273")).isEqualTo("not (not shown)");
    assertThat(secrets.hide(APP, null)).isNull();
  }

  private void remember(String name, Object value) {
    secrets.remember(APP, sensitive, Map.of(name, value));
  }
}
