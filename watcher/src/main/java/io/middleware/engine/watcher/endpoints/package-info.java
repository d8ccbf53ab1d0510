/** Which pods the Services for applications lead to, as EndpointSlices. */
@NullMarked
package io.middleware.engine.watcher.endpoints;

import org.jspecify.annotations.NullMarked;
