/** Reading custom resources so that one bad object disturbs no other. */
package io.middleware.engine.api.json;
