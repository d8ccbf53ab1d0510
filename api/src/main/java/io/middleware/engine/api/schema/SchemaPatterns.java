package io.middleware.engine.api.schema;

import java.util.regex.Pattern;

/** Regular expressions that more than one field follows. */
public final class SchemaPatterns {
  /** A name that pods, services and labels may carry. */
  public static final String DNS_LABEL = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$";

  /** The name of a Kubernetes object. */
  public static final String OBJECT_NAME = "^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$";

  /** The name of a Kubernetes object, or nothing. */
  public static final String OBJECT_NAME_OR_EMPTY = "^([a-z0-9]([-.a-z0-9]*[a-z0-9])?)?$";

  /** What {@link #API_VERSION} asks for, for people. */
  public static final String API_VERSION_IS =
      "v1, or a group and a version, for example middleware.io/v1";

  /** A kind of Kubernetes objects. */
  public static final String KIND = "^[A-Za-z]([-A-Za-z0-9]*[A-Za-z0-9])?$";

  /** {@code v1}, or a group and a version: part of a path of the API server. */
  public static final String API_VERSION =
      "^(v1|[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*/[a-z]([-a-z0-9]*[a-z0-9])?)$";

  /** The name of a label, for example {@code tier} or {@code shop.io/tier}. */
  public static final String LABEL_NAME =
      "^([a-z0-9]([-.a-z0-9]*[a-z0-9])?/)?[A-Za-z0-9]([-._A-Za-z0-9]*[A-Za-z0-9])?$";

  /** The value of a label. */
  public static final String LABEL_VALUE = "^([A-Za-z0-9]([-._A-Za-z0-9]*[A-Za-z0-9])?)?$";

  /** The version of a plugin: part of an object's name. */
  public static final String PLUGIN_VERSION = "^[0-9a-z]([-.0-9a-z]*[0-9a-z])?$";

  /** The version of a middleware. */
  public static final String VERSION = "^[0-9A-Za-z]([-+._0-9A-Za-z]*[0-9A-Za-z])?$";

  /** The version of a middleware, where need be after the name of its runtime. */
  public static final String RUNTIME_VERSION =
      "^([a-z0-9]([-a-z0-9]*[a-z0-9])? )?[0-9A-Za-z]([-+._0-9A-Za-z]*[0-9A-Za-z])?$";

  /** A whole number and a unit, for example {@code 90s}. */
  public static final String DURATION = "^[0-9]{1,6}(ms|s|m|h)$";

  /** The same, longer than nothing. */
  public static final String POSITIVE_DURATION = "^[1-9][0-9]{0,5}(ms|s|m|h)$";

  /** A time in RFC 3339, for example {@code 2026-12-01T02:00:00Z}. */
  public static final String TIME =
      "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(Z|[+-][0-9]{2}:[0-9]{2})$";

  /** A size on disk, larger than nothing. */
  public static final String DISK_SIZE =
      "^([1-9][0-9]*|[0-9]+\\.[0-9]+)(k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?$";

  /** Five cron fields, or a nickname such as {@code @daily}. */
  public static final String CRON =
      "^(@(yearly|annually|monthly|weekly|daily|midnight|hourly)|[^ ]+( [^ ]+){4})$";

  /** An address on the web, without spaces and control characters. */
  public static final String HTTP_URL = "^https?://[^\\x00-\\x20\\x7F]+$";

  /** The address of a service: no user, no path, no query. */
  public static final String SERVICE_URL =
      "^https?://([A-Za-z0-9]([-.A-Za-z0-9]*[A-Za-z0-9])?|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?/?$";

  /** The name of a bucket of an S3 service. */
  public static final String BUCKET =
      "^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$";

  /** The name of a configuration parameter. */
  public static final String PARAMETER = "^[A-Za-z0-9_]([-._A-Za-z0-9]*[A-Za-z0-9_])?$";

  private SchemaPatterns() {}

  /** Whether the whole text follows the pattern; a line break at its end does not. */
  public static boolean isFollowed(String pattern, String text) {
    return text != null && Pattern.compile(pattern).matcher(text).matches();
  }
}
