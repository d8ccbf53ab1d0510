package io.middleware.engine.agent.store;

import static software.amazon.awssdk.core.checksums.RequestChecksumCalculation.WHEN_REQUIRED;

import io.middleware.engine.agent.store.StoreSettings.S3;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.profiles.ProfileFile;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Object;

/** A bucket of an S3 service. What is larger than a part is uploaded in parts, some at a time. */
final class S3Store implements BackupStorage {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(60);

  private final S3 settings;
  private final S3Client client;
  private final S3Failures failures;

  private S3Store(S3 settings, S3Client client) {
    this.settings = settings;
    this.client = client;
    this.failures = new S3Failures(settings);
  }

  static S3Store of(S3 settings) {
    return new S3Store(settings, client(settings));
  }

  static S3Client client(S3 settings) {
    var http =
        UrlConnectionHttpClient.builder()
            .connectionTimeout(CONNECT_TIMEOUT)
            .socketTimeout(ANSWER_TIMEOUT);
    settings.authority().ifPresent(file -> http.tlsTrustManagersProvider(new TrustedFile(file)));
    var credentials = settings.credentials();
    return S3Client.builder()
        .httpClientBuilder(http)
        .endpointOverride(settings.endpoint())
        .region(Region.of(settings.region()))
        .forcePathStyle(settings.pathStyle())
        .credentialsProvider(
            StaticCredentialsProvider.create(
                AwsBasicCredentials.create(credentials.accessKey(), credentials.secretKey())))
        // each upload has a Content-MD5, which every service understands and Object Lock demands
        .requestChecksumCalculation(WHEN_REQUIRED)
        .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
        .serviceConfiguration(s3 -> s3.chunkedEncodingEnabled(false))
        .overrideConfiguration(
            override -> override.defaultProfileFile(ProfileFile.aggregator().build()))
        .build();
  }

  /** An account that may only write may not list: then the write says what it may not. */
  @Override
  public void requireWritable(String key) {
    var name = name(key);
    try {
      client.listObjectsV2(list -> list.bucket(settings.bucket()).prefix(name).maxKeys(1));
    } catch (SdkException e) {
      if (!S3Failures.isAccessDenied(e)) {
        throw failures.of("write", key, e);
      }
    }
  }

  @Override
  public void write(String key, InputStream content) {
    var name = name(key);
    try {
      var first = new byte[S3Upload.PART_BYTES];
      var length = content.readNBytes(first, 0, first.length);
      if (length < first.length) {
        client.putObject(
            put -> put.bucket(settings.bucket()).key(name).contentMD5(S3Upload.md5(first, length)),
            RequestBody.fromContentProvider(S3Upload.bytes(first, length), length, S3Upload.TYPE));
      } else {
        new S3Upload(client, settings.bucket(), name).run(first, content);
      }
    } catch (SdkException | IOException e) {
      throw failures.of("write", key, e);
    }
  }

  @Override
  public void read(String key, OutputStream target) {
    var name = name(key);
    try (var content = client.getObject(get -> get.bucket(settings.bucket()).key(name))) {
      content.transferTo(target);
    } catch (SdkException | IOException e) {
      throw failures.of("read", key, e);
    }
  }

  @Override
  public OptionalLong size(String key) {
    var name = name(key);
    try {
      return OptionalLong.of(
          client.headObject(head -> head.bucket(settings.bucket()).key(name)).contentLength());
    } catch (NoSuchKeyException e) {
      return OptionalLong.empty();
    } catch (SdkException e) {
      throw failures.of("look at", key, e);
    }
  }

  @Override
  public void delete(String key) {
    var name = name(key);
    delete(key, () -> S3Upload.abortAll(client, settings.bucket(), name));
    delete(key, () -> client.deleteObject(it -> it.bucket(settings.bucket()).key(name)));
  }

  /** Whatever is gone is deleted: some services call that an error. */
  private void delete(String key, Runnable deletion) {
    try {
      deletion.run();
    } catch (SdkException e) {
      if (!S3Failures.isGone(e)) {
        throw failures.of("delete", key, e);
      }
    }
  }

  @Override
  public List<String> list(String prefix) {
    var all = settings.prefix() + prefix;
    try {
      return client
          .listObjectsV2Paginator(list -> list.bucket(settings.bucket()).prefix(all))
          .contents()
          .stream()
          .map(S3Object::key)
          .map(name -> name.substring(settings.prefix().length()))
          .sorted()
          .toList();
    } catch (SdkException e) {
      throw failures.of("list", prefix, e);
    }
  }

  @Override
  public String location(String key) {
    return failures.location(key);
  }

  @Override
  public void close() {
    client.close();
  }

  private String name(String key) {
    return settings.prefix() + StoreKey.valid(key);
  }
}
