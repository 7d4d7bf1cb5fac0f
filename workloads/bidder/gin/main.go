// A bidder with Gin.
package main

import (
	"context"
	"errors"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"

	"github.com/gin-gonic/gin"
	"github.com/gin-gonic/gin/codec/json"
	"github.com/redis/go-redis/v9"

	"overhead/bidder/gin/internal/bidder"
)

func main() {
	settings, err := bidder.SettingsFromEnv()
	if err != nil {
		log.Fatal(err)
	}
	if settings.JSON == "go-json" {
		json.API = goJSON{}
	}
	options, err := redis.ParseURL(env("REDIS_URL", "redis://127.0.0.1:6379"))
	if err != nil {
		log.Fatal(err)
	}
	options.PoolSize, options.MaxActiveConns = settings.RedisPool, settings.RedisPool
	client := redis.NewClient(options)
	defer client.Close()

	bids := bidder.New(bidder.NewStore(client, settings), settings)
	server := &http.Server{
		Addr:    net.JoinHostPort(env("HOST", "127.0.0.1"), env("PORT", "3010")),
		Handler: newRouter(bids, settings),
	}
	stopped, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	go func() {
		<-stopped.Done()
		server.Close()
	}()
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		log.Fatal(err)
	}
}

func newRouter(bids *bidder.Bidder, settings bidder.Settings) *gin.Engine {
	router := gin.New()
	if settings.Log == "default" {
		router = gin.Default()
	}
	router.POST("/bid", handleBid(bids))
	return router
}

func handleBid(bids *bidder.Bidder) gin.HandlerFunc {
	return func(c *gin.Context) {
		var request bidder.Request
		if err := c.ShouldBindJSON(&request); err != nil || !request.IsBiddable() {
			c.Status(http.StatusBadRequest)
			return
		}
		answer, err := bids.Bid(c.Request.Context(), &request)
		if err != nil {
			_ = c.AbortWithError(http.StatusInternalServerError, err)
			return
		}
		if answer == nil {
			c.Status(http.StatusNoContent)
			return
		}
		// Gin's PureJSON ends an answer with a line feed, which would not be the same bytes as the others'.
		body, err := bidder.Encode(answer)
		if err != nil {
			_ = c.AbortWithError(http.StatusInternalServerError, err)
			return
		}
		c.Data(http.StatusOK, "application/json; charset=utf-8", body)
	}
}

func env(name, otherwise string) string {
	if value, isSaid := os.LookupEnv(name); isSaid {
		return value
	}
	return otherwise
}
