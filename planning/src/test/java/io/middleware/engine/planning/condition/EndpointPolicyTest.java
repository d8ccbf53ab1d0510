package io.middleware.engine.planning.condition;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.planning.condition.EndpointPolicy.Endpoint;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointPolicyTest {
  private final EndpointPolicy policy =
      EndpointPolicy.of(List.of("Verify.example.com", "10.0.0.1:8443", "[::1]:9090"), "");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://verify.example.com/redis?level=strict",
        "http://VERIFY.example.com",
        "https://verify.example.com:443/",
        "http://10.0.0.1:8443/",
        "http://[::1]:9090/",
      })
  void shouldAllowTheHostsThatAreListed(String url) {
    assertThat(policy.endpoint(url)).isEqualTo(new Endpoint.Allowed(URI.create(url)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "https://other.example.com/       | host other.example.com is not in the engine's setting checks.hosts",
        "https://verify.example.com:8443/ | host verify.example.com:8443 is not in the engine's setting checks.hosts",
        "https://10.0.0.1/                | host 10.0.0.1 is not in the engine's setting checks.hosts",
        "https://verify.example.com@evil/ | https://verify.example.com@evil/: expected scheme://host[:port][/path], without a user",
        "https:///path                    | https:///path: expected scheme://host[:port][/path], without a user",
        "file:///etc/passwd               | file:///etc/passwd is not a valid http or https URL",
        "verify.example.com               | verify.example.com is not a valid http or https URL",
        "http://a b                       | http://a b is not a valid URL: Illegal character in "
            + "authority at index 8: http://a b",
      })
  void shouldRefuseAllOthers(String url, String why) {
    assertThat(policy.endpoint(url).problem()).contains(why);
  }

  @Test
  void shouldAllowNoneByDefault() {
    assertThat(EndpointPolicy.of(List.of(), "").endpoint("http://localhost").problem()).isPresent();
  }

  @Test
  void shouldTakeThePrometheusOfTheSettings() {
    // Given
    var one = EndpointPolicy.of(List.of("verify.example.com"), "http://prometheus:9090/main/");
    // When Then
    assertThat(one.prometheus(null))
        .isEqualTo(new Endpoint.Allowed(URI.create("http://prometheus:9090/main/api/v1/query")));
    assertThat(one.prometheus("http://verify.example.com"))
        .isEqualTo(new Endpoint.Allowed(URI.create("http://verify.example.com/api/v1/query")));
    assertThat(one.prometheus("http://prometheus:9090").problem())
        .contains("host prometheus:9090 is not in the engine's setting checks.hosts");
    assertThat(one.prometheus("http://verify.example.com?a=b").problem())
        .contains(
            "http://verify.example.com?a=b: the URL of Prometheus must not have a query "
                + "string");
  }

  @Test
  void shouldSayThatThereIsNoPrometheus() {
    assertThat(policy.prometheus(null).problem())
        .contains("no URL given, and the engine's setting checks.prometheusUrl is empty");
  }

  @Test
  void shouldAllowWhatTheSettingsMayAllow() {
    assertThat(EndpointPolicy.unknown().endpoint("https://any.example.com").problem()).isEmpty();
    assertThat(EndpointPolicy.unknown().prometheus(null).problem()).isEmpty();
    assertThat(EndpointPolicy.unknown().endpoint("file:///etc/passwd").problem()).isPresent();
  }
}
